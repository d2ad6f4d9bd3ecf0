import platform from '#config/platform'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Where files lie that are no rows of PostgreSQL: a directory that all web and worker processes share, theirs alone. */
export async function storageDirectory(
  area: 'runs' | 'registers' | 'uploads' | 'confirms' | 'restores'
): Promise<string> {
  const path = join(platform.storageDirectory, area)
  await mkdir(path, { recursive: true, mode: 0o700 })
  return path
}
