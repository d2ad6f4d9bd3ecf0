import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../paths.ts'
import { copySources, copyToSamePath } from '../project_copy.ts'
import { mutate, type SourceMutant } from './mutant.ts'

const BUILT_PAGES = 'public/assets'

/** Copies the project as it is now, with uncommitted changes, so that no mutant is ever in the working tree. */
export function copyProject(directory: string) {
  copySources(directory)
  copyToSamePath(BUILT_PAGES, directory)
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
}

/** Puts the mutant into the copy. Returns what takes it out again. */
export function applyMutant(directory: string, mutant: SourceMutant) {
  const path = join(directory, mutant.file)
  const original = readFileSync(path, 'utf8')
  writeFileSync(path, mutate(original, mutant))
  return () => writeFileSync(path, original)
}
