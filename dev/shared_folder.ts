import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartUpError } from './start_up_error.ts'

const PREFIX = 'ticket-partners-'

/** A folder below the system's temporary one that other users can enter but not write to. */
export function sharedFolder(name: string) {
  const folder = join(tmpdir(), PREFIX + name)
  mkdirSync(folder, { recursive: true })
  const { uid, mode } = lstatSync(folder)
  // Anybody may have made a folder of this name before us.
  const isOurs = uid === process.getuid?.() && (mode & 0o170000) === 0o040000
  if (!isOurs) {
    throw new StartUpError(`${folder} belongs to somebody else: remove it, or set TMPDIR.`)
  }
  chmodSync(folder, 0o755)
  return folder
}
