import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartUpError } from './start_up_error.ts'
import type { Account } from './supervisor.ts'

const SHARED_PREFIX = 'ticket-partners-'

/** The account for PostgreSQL, which refuses to run as root: then the user `postgres`, created when missing. */
export function postgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) {
    return undefined
  }
  return findAccount('postgres') ?? createAccount('postgres')
}

/** Whether the account can read a folder, and so pass through all of its parents. */
export function canEnter({ uid, gid }: Account, folder: string) {
  const check = ['-c', 'test -r "$1" && test -x "$1"', 'sh', folder]
  return spawnSync('/bin/sh', check, { uid, gid, cwd: '/' }).status === 0
}

/** A folder in the system's temporary directory that other users can enter but not write to. */
export function sharedFolder(name: string) {
  const folder = join(tmpdir(), SHARED_PREFIX + name)
  mkdirSync(folder, { recursive: true })
  const { uid, mode } = lstatSync(folder)
  // Any user could have created a folder of this name first.
  const isOurs = uid === process.getuid?.() && (mode & 0o170000) === 0o040000
  if (!isOurs) {
    throw new StartUpError(`${folder} belongs to another user: remove it, or set TMPDIR.`)
  }
  chmodSync(folder, 0o755)
  return folder
}

function findAccount(name: string): Account | undefined {
  try {
    return { uid: idOf('-u', name), gid: idOf('-g', name) }
  } catch {
    return undefined
  }
}

function createAccount(name: string) {
  const { status } = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', name])
  const account = status === 0 && findAccount(name)
  if (!account) {
    throw new StartUpError(
      'PostgreSQL does not run as root, and a system user "postgres" could not be created: create one, run this as an ordinary user, or set DATABASE_URL.'
    )
  }
  return account
}

function idOf(flag: '-u' | '-g', name: string) {
  const output = execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' })
  return Number.parseInt(output)
}
