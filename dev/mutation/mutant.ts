import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../paths.ts'

interface NamedMutant {
  /** What the change breaks, in a few words; unique. */
  name: string
  /** The specs that must notice it, from the project's root. */
  specs: string[]
}

/** A change of one place in a source file. */
export interface SourceMutant extends NamedMutant {
  file: string
  /** Occurs exactly once in the file. */
  find: string
  replace: string
}

/** Statements that run on the migrated database before the specs. */
export interface DatabaseMutant extends NamedMutant {
  sql: string
}

export type Mutant = SourceMutant | DatabaseMutant

export const mutantsDirectory = join(root, 'tests/mutants')

/** All mutants, in the order of the files' names. */
export async function loadMutants(): Promise<Mutant[]> {
  const files = await readdir(mutantsDirectory)
  const lists = await Promise.all(files.sort().map(readMutants))
  return lists.flat()
}

async function readMutants(file: string): Promise<Mutant[]> {
  const { href } = pathToFileURL(join(mutantsDirectory, file))
  const module = (await import(href)) as { default: Mutant[] }
  return module.default
}

/** The path by which a mutant is selected: its file, or `database` for a statement. */
export const pathOf = (mutant: Mutant) => ('file' in mutant ? mutant.file : 'database')

/** The text with the mutant in it. The place must be found exactly once: otherwise another place might change. */
export function mutate(text: string, { name, file, find, replace }: SourceMutant) {
  const places = text.split(find).length - 1
  if (places !== 1) {
    throw new Error(`“${name}” finds its text ${places} times in ${file}; it must be once.`)
  }
  return text.replace(find, () => replace)
}
