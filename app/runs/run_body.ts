import type { RunKind, RunParams } from '#runs/run_params'
import type { Language } from '#shared/languages'
import type { Actor } from '#shared/actor'
import type { BackgroundThrottle } from '#shared/background_throttle'

export interface RunProgress {
  /** A key of the pages' texts, or the name of a sheet. */
  phase: string
  rowsDone: number
  rowsTotal: number
}

export interface RunContext {
  runId: number
  partnerId: number | null
  /** Who asked for it. */
  actor: Actor
  language: Language
  /** An empty directory of this attempt's own. What is left in it is thrown away, but for the files of the outcome. */
  directory: string
  /** Aborted when it was cancelled, when the worker stops, or when somebody else has taken it over. */
  signal: AbortSignal
  /** Pauses the work while partners send requests. */
  throttle?: BackgroundThrottle
  /** May be called for every row: it is written down twice a second. */
  progress(at: RunProgress): void
}

export interface RunOutcome {
  /** What people are shown of it, as JSON. */
  result: Record<string, unknown>
  /** Names of files in the directory. */
  files: { name: string; rows?: number }[]
  /** For what belongs to an issued document; everything else is kept for thirty days. */
  isKeptForEver?: boolean
}

/**
 * What a run does. It may be broken off at any moment and is then begun anew, so it writes in one transaction or what
 * may be written twice. A `Refusal` ends it with its code.
 */
export type RunBody<Kind extends RunKind> = (
  params: RunParams[Kind],
  context: RunContext
) => Promise<RunOutcome>
