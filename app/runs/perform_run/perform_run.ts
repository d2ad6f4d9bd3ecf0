import platform from '#config/platform'
import { isDocument } from '#runs/run_params'
import { Lease, RunStopped } from '#runs/perform_run/lease'
import {
  claimRun,
  completeRun,
  endRun,
  haveEarlierWritesEnded,
  insertRunFile,
  renewLease,
  requeueRun,
  selectSucceeded,
  type ClaimedRun,
} from '#runs/perform_run/perform_run_sql'
import { runDirectory } from '#runs/run_files'
import type { RunBody, RunOutcome } from '#runs/run_body'
import { BackgroundThrottle } from '#shared/background_throttle'
import { hasRecentRequests } from '#shared/rate_limit'
import { Refusal } from '#shared/refusals'
import { storableTexts } from '#shared/storable'
import { transaction } from '#shared/transaction'
import logger from '@adonisjs/core/services/logger'
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'

const MAX_ATTEMPTS = 3
/** Times the attempts so far. */
const RETRY_SECONDS = 10
/** How often and how long a document waits for transactions that were writing at its request. */
const POLL_MS = 50
const MAX_WAIT_MS = 2_000

/** Returns what performs a kind of run; null for an unknown kind. */
export type FindBody = (kind: string) => Promise<RunBody<any> | null>

/** Performs a due run, unless another worker has claimed it. A failure of the run is stored, not thrown. */
export async function performRun(
  id: number,
  findBody: FindBody,
  stopping?: AbortSignal
): Promise<void> {
  const claim = randomUUID()
  const run = await claimRun.first({ id, claim })
  if (!run) return
  if (run.cancelAskedAt) return void (await endRun({ id, claim, state: 'cancelled', error: null }))
  // Claimed once more than it may fail: in some attempt the worker died or lost its lease, so nobody recorded the end.
  if (run.attempts > MAX_ATTEMPTS) return fail(id, claim, { code: 'CRASHED' })
  const directory = await runDirectory(id, claim)
  try {
    await attempt(run, claim, findBody, { directory, stopping })
  } catch (error) {
    await endOrRequeue(run, claim, error)
    // A commit may have succeeded although its answer was lost: then the files stay.
    const hasSucceeded = await selectSucceeded.first({ id, claim })
    if (!hasSucceeded) await rm(directory, { recursive: true, force: true })
  }
}

async function attempt(
  run: ClaimedRun,
  claim: string,
  findBody: FindBody,
  { directory, stopping }: { directory: string; stopping?: AbortSignal }
) {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const body = await findBody(run.kind)
  if (!body) throw new Refusal('NO_SUCH', { what: `run of kind ${run.kind}` })
  using lease = new Lease({ id: run.id, claim }, stopping)
  const { signal } = lease
  try {
    const { id: runId, partnerId, actor, language, params } = run
    const progress = lease.progress.bind(lease)
    const pauseFactor = platform.runPauseFactor
    const throttle = new BackgroundThrottle({ hasRecentRequests, pauseFactor, signal })
    const context = { runId, partnerId, actor, language, directory, signal, throttle, progress }
    const sawEarlierWrites = isDocument(run.kind) && (await untilEarlierWritesEnd(runId, signal))
    await complete({ id: runId, claim, sawEarlierWrites }, directory, await body(params, context))
  } catch (error) {
    // An aborted run may throw anything; the reason of the abort is the cause.
    throw signal.aborted && !(error instanceof Refusal) ? signal.reason : error
  }
}

/**
 * Waits up to two seconds for transactions that were writing when the run was requested. False when one is still open: the
 * result may miss what it writes, so it is not reused for the same request.
 */
async function untilEarlierWritesEnd(id: number, signal: AbortSignal) {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const { haveEnded } = await haveEarlierWritesEnded.one({ id })
    if (haveEnded || waitedMs >= MAX_WAIT_MS) return haveEnded
    await delay(POLL_MS, undefined, { signal })
  }
}

/** Stores the result and its files in one transaction. A run that was cancelled meanwhile has none, unless it has committed changes. */
async function complete(
  { id, claim, sawEarlierWrites }: { id: number; claim: string; sawEarlierWrites: boolean },
  directory: string,
  outcome: RunOutcome
) {
  const files = await Promise.all(
    outcome.files.map(async ({ name, rows = null }) => {
      const path = join(directory, name)
      const { size } = await stat(path)
      return { runId: id, name, rows, bytes: size, sha256: await sha256Of(path) }
    })
  )
  await transaction(async (trx) => {
    const result = JSON.stringify(outcome.result, storableTexts)
    const { isKeptForEver = false, hasCommitted } = outcome
    const keptDays = platform.runRetentionDays
    const done = await completeRun.first(
      { id, claim, result, isKeptForEver, keptDays, hasCommitted, sawEarlierWrites },
      trx
    )
    if (!done) {
      const isStillOurs = await renewLease.first({ id, claim, progress: null }, trx)
      throw new RunStopped(isStillOurs ? 'cancelled' : 'lost')
    }
    for (const file of files) await insertRunFile(file, trx)
  })
}

async function sha256Of(path: string) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Ends the run, or puts it back into the queue to be tried again. */
async function endOrRequeue({ id, kind, attempts }: ClaimedRun, claim: string, error: unknown) {
  if (error instanceof RunStopped) {
    if (error.why === 'cancelled') await endRun({ id, claim, state: 'cancelled', error: null })
    if (error.why === 'stopping')
      await requeueRun({ id, claim, delaySeconds: 0, forgivenAttempts: 1 })
    return
  }
  if (error instanceof Refusal)
    return fail(id, claim, { code: error.refusalCode, details: error.details })
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
    return fail(id, claim, { code: 'DISK_FULL' })
  logger.error({ err: error, run: id, kind }, 'a run failed')
  if (attempts < MAX_ATTEMPTS)
    await requeueRun({ id, claim, delaySeconds: RETRY_SECONDS * attempts, forgivenAttempts: 0 })
  else await fail(id, claim, { code: 'INTERNAL_ERROR' })
}

const fail = async (id: number, claim: string, error: { code: string; details?: object }) =>
  void (await endRun({ id, claim, state: 'failed', error: JSON.stringify(error) }))
