import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { PluginFn } from '@japa/runner/types'

/** More than these are no matter of a machine that was busy. */
const MOST = 3
/** What looks for races is not excused when it has found one. */
const FINAL = /^tests\/functional\/races\//
/** What belongs to no spec, such as an error that nobody awaited. */
const NO_SPEC = '(no spec)'

/** Writes the spec of each failure into the file that the environment names. */
export const noteFailedSpecs: PluginFn = ({ emitter }) => {
  const file = process.env.FAILED_SPECS
  if (!file) return
  const note = (spec?: string) =>
    appendFileSync(file, `${spec ? relative(process.cwd(), spec) : NO_SPEC}\n`)
  const noteFailure = (ended: { hasError: boolean; meta: { fileName?: string } }) => {
    if (ended.hasError) note(ended.meta.fileName)
  }
  emitter.on('test:end', noteFailure)
  emitter.on('group:end', noteFailure)
  emitter.on('suite:end', ({ errors }) => {
    if (errors.length > 0) note()
  })
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, () => note())
}

/** The specs written there that may be run again; none unless that would be all that failed. */
export function specsToRepeat(file: string): string[] {
  if (!existsSync(file)) return []
  const specs = [...new Set(readFileSync(file, 'utf8').trim().split('\n'))]
  return specs.length > MOST || specs.some((spec) => spec === NO_SPEC || FINAL.test(spec))
    ? []
    : specs
}
