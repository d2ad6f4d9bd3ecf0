import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { mutationReport, root } from '../paths.ts'
import type { MutantResult } from './run_mutants.ts'

/** Prints a table, writes tmp/mutation.json and returns the exit code: 0 when every mutant was killed. */
export function report(results: MutantResult[]) {
  const width = Math.max(...results.map(({ path }) => path.length))
  for (const { verdict, path, name, noticedBy } of results) {
    const note = verdict === 'broken' ? ` (${noticedBy.join('; ')})` : ''
    print(`${verdict.padEnd(9)}  ${path.padEnd(width)}  ${name}${note}`)
  }
  const killed = results.filter(isKilled).length
  print(`\nMutants  ${killed} killed of ${results.length}`)
  mkdirSync(dirname(mutationReport), { recursive: true })
  writeFileSync(mutationReport, `${JSON.stringify({ at: new Date(), killed, results }, null, 2)}\n`)
  print(`Written to ${relative(root, mutationReport)}`)
  return killed === results.length ? 0 : 1
}

/** A test that waits for ever has noticed, too. */
const isKilled = ({ verdict }: MutantResult) => verdict === 'killed' || verdict === 'timed out'

const print = (line: string) => process.stdout.write(`${line}\n`)
