import type { Counterexample, Finding } from '#invariants/invariant'
import { INVARIANTS } from '#invariants/invariants'
import type { InvariantName } from '#invariants/invariant_names'
import { readSnapshot } from '#invariants/read_snapshot'
import {
  clearRequest,
  insertRun,
  lockState,
  settleRun,
  storeState,
} from '#invariants/run_invariant_sql'
import { CLOCK } from '#shared/actor'
import type { BackgroundThrottle } from '#shared/background_throttle'
import { MINUTE_MS } from '#shared/days'
import { record } from '#shared/journal'
import { storable } from '#shared/storable'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Counterexamples that are stored; their number is, too. */
const MOST_STORED = 20
const MAX_ERROR_LENGTH = 500
const LONGEST_RUN_MS = 30 * MINUTE_MS

interface RunInput {
  name: InvariantName
  /** Null for the full form. */
  since: Date | null
  throttle: BackgroundThrottle
  /** Ends the run without a result. */
  signal?: AbortSignal
}

/**
 * Runs one invariant and stores what came of it. Records in the journal when it is broken, or holds again. Throws the error of
 * a run that failed, once that is stored.
 */
export async function runInvariant({ name, since, throttle, signal }: RunInput): Promise<void> {
  const { id } = await insertRun.one({ name, since })
  const began = performance.now()
  const timeout = AbortSignal.timeout(LONGEST_RUN_MS)
  try {
    const found = await readSnapshot(
      since,
      async (scope, trx) => ({
        asOf: scope.asOf,
        finding: await INVARIANTS[name].find(scope, { trx, throttle }),
      }),
      signal ? AbortSignal.any([signal, timeout]) : timeout
    )
    await store(name, id, { ...found, tookMs: performance.now() - began })
  } catch (error) {
    if (!signal?.aborted) await storeFailure(name, id, error, performance.now() - began)
    throw error
  }
}

interface Result {
  asOf: string
  finding: Finding
  tookMs: number
}

async function store(name: InvariantName, id: bigint, { asOf, finding, tookMs }: Result) {
  const found = finding.counterexamples.length
  const kept: Counterexample[] = finding.counterexamples.slice(0, MOST_STORED)
  await transaction(async (trx) => {
    const run = await settleRun.first(
      {
        id,
        state: found > 0 ? 'red' : 'green',
        asOf,
        tookMs: Math.round(tookMs),
        rows: finding.rowsLookedAt,
        found,
        counterexamples: JSON.stringify(kept),
        failure: null,
      },
      trx
    )
    // Another worker has taken the board over meanwhile.
    if (!run) return
    await storeTurn(name, found, trx)
    await clearRequest({ name, startedAt: run.startedAt }, trx)
  })
}

/** Green to red, or back: red again while it is red is no turn. */
async function storeTurn(name: InvariantName, found: number, trx: TransactionClientContract) {
  const { isRed } = await lockState.one({ name }, trx)
  if (isRed === found > 0) return
  await storeState({ name, isRed: found > 0 }, trx)
  if (isRed) await record('invariant_restored', { invariant: name }, { actor: CLOCK }, trx)
  else await record('invariant_broken', { invariant: name, found }, { actor: CLOCK }, trx)
}

async function storeFailure(name: InvariantName, id: bigint, error: unknown, tookMs: number) {
  const words = error instanceof Error ? error.message : String(error)
  const run = await settleRun.first({
    id,
    state: 'failed',
    asOf: null,
    tookMs: Math.round(tookMs),
    rows: null,
    found: null,
    counterexamples: null,
    failure: storable(words.slice(0, MAX_ERROR_LENGTH)) || 'unknown',
  })
  if (run) await clearRequest({ name, startedAt: run.startedAt })
}
