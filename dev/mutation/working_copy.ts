import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../paths.ts'
import { mutate, type SourceMutant } from './mutant.ts'

const BUILT_PAGES = 'public/assets'

/** Copies the project as it is now, with uncommitted changes, so that no mutant is ever in the working tree. */
export function copyProject(directory: string) {
  rmSync(directory, { recursive: true, force: true })
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    }
  )
  const files = [...new Set(listed.split('\0').filter(Boolean))]
  for (const file of files) copy(file, directory)
  copy(BUILT_PAGES, directory)
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
}

function copy(path: string, directory: string) {
  const source = join(root, path)
  if (!existsSync(source)) return
  mkdirSync(dirname(join(directory, path)), { recursive: true })
  cpSync(source, join(directory, path), { recursive: true })
}

/** Puts the mutant into the copy. Returns what takes it out again. */
export function applyMutant(directory: string, mutant: SourceMutant) {
  const path = join(directory, mutant.file)
  const original = readFileSync(path, 'utf8')
  writeFileSync(path, mutate(original, mutant))
  return () => writeFileSync(path, original)
}
