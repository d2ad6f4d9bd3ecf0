import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './paths.ts'

/** Copies the project as it is now, as a fresh clone with uncommitted changes would have it. */
export function copySources(directory: string) {
  rmSync(directory, { recursive: true, force: true })
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const maxBuffer = 64 * 1024 * 1024
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer })
  const files = [...new Set(listed.split('\0').filter(Boolean))]
  for (const file of files) copyToSamePath(file, directory)
}

/** Copies a file or folder of the project, if it exists, to the same path below the directory. */
export function copyToSamePath(path: string, directory: string) {
  const source = join(root, path)
  if (!existsSync(source)) return
  mkdirSync(dirname(join(directory, path)), { recursive: true })
  cpSync(source, join(directory, path), { recursive: true })
}
