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
  /** Who requested it. */
  actor: Actor
  language: Language
  /** An empty directory of this attempt. Only the files named in the outcome are kept. */
  directory: string
  /** Aborted when the run was cancelled, when the worker stops, or when another worker has claimed the run. */
  signal: AbortSignal
  /** Pauses while partners send requests; every kind may use it, and workbooks do (ADR 14). */
  throttle?: BackgroundThrottle
  /** May be called for every row: the latest is stored twice a second. */
  progress(at: RunProgress): void
}

export interface RunOutcome {
  /** Shown on the run's page; stored as JSON. */
  result: Record<string, unknown>
  /** Names of files in the directory. */
  files: { name: string; rows?: number }[]
  /** True for files of an issued document; all others are kept for thirty days. */
  isKeptForEver?: boolean
  /**
   * Whether the body has committed changes besides its files. A cancellation that arrives after them is too late: the run
   * succeeds, because what it did is done. Without changes the result and the files are discarded.
   */
  hasCommitted: boolean
}

/**
 * Performs one kind of run. It may stop at any moment and then starts again from the beginning, so its writes are one
 * transaction or idempotent. A `Refusal` ends the run with its code.
 */
export type RunBody<Kind extends RunKind> = (
  params: RunParams[Kind],
  context: RunContext
) => Promise<RunOutcome>
