import platform from '#config/platform'
import { isDocument } from '#runs/run_params'
import { Lease, RunStopped } from '#runs/lease'
import {
  claimRun,
  end,
  handBack,
  insertFile,
  selectSettled,
  selectSucceeded,
  succeed,
} from '#runs/queries/perform'
import type { ClaimedRun } from '#runs/queries/perform'
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

const MOST_ATTEMPTS = 3
const AGAIN_SECONDS = 10
const SETTLING_MS = 50
const MOST_SETTLING_MS = 2_000

/** What does a kind of run; null for a kind that nobody knows. */
export type FindBody = (kind: string) => Promise<RunBody<any> | null>

/** Does a run whose turn it is, unless another worker has it. It never throws for what the run itself does. */
export async function performRun(
  id: number,
  findBody: FindBody,
  stopping?: AbortSignal
): Promise<void> {
  const claim = randomUUID()
  const run = await claimRun.first({ id, claim })
  if (!run) return
  if (run.cancelAskedAt) return void (await end({ id, claim, state: 'cancelled', error: null }))
  // Its workers died of it, each time.
  if (run.attempts > MOST_ATTEMPTS) return fail(id, claim, { code: 'CRASHED' })
  const directory = await runDirectory(id, claim)
  try {
    await attempt(run, claim, findBody, { directory, stopping })
  } catch (error) {
    await settle(run, claim, error)
    // Of a commit whose answer was lost it is not known otherwise.
    const isKept = await selectSucceeded.first({ id, claim })
    if (!isKept) await rm(directory, { recursive: true, force: true })
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
    const pauseFactor = platform.exportThrottle
    const throttle = new BackgroundThrottle({ hasRecentRequests, pauseFactor, signal })
    const context = { runId, partnerId, actor, language, directory, signal, throttle, progress }
    const isSettled = isDocument(run.kind) && (await untilSettled(runId, signal))
    await keep({ id: runId, claim, isSettled }, directory, await body(params, context))
  } catch (error) {
    // Whatever it broke off with, this is why.
    throw signal.aborted && !(error instanceof Refusal) ? signal.reason : error
  }
}

/** Sales under way end within moments; for what takes longer nobody waits, but then its answer is not given again. */
async function untilSettled(id: number, signal: AbortSignal) {
  for (let waited = 0; ; waited += SETTLING_MS) {
    const { isSettled } = await selectSettled.one({ id })
    if (isSettled || waited >= MOST_SETTLING_MS) return isSettled
    await delay(SETTLING_MS, undefined, { signal })
  }
}

interface Kept {
  id: number
  claim: string
  isSettled: boolean
}

/** The result and its files appear together, or neither. */
async function keep({ id, claim, isSettled }: Kept, directory: string, outcome: RunOutcome) {
  const files = await Promise.all(
    outcome.files.map(async ({ name, rows = null }) => {
      const path = join(directory, name)
      const { size } = await stat(path)
      return { runId: id, name, rows, bytes: size, sha256: await sha256Of(path) }
    })
  )
  await transaction(async (trx) => {
    const result = JSON.stringify(outcome.result, storableTexts)
    const isKeptForEver = outcome.isKeptForEver ?? false
    const done = await succeed.first({ id, claim, result, isKeptForEver, isSettled }, trx)
    if (!done) throw new RunStopped('lost')
    for (const file of files) await insertFile(file, trx)
  })
}

async function sha256Of(path: string) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function settle({ id, kind, attempts }: ClaimedRun, claim: string, error: unknown) {
  if (error instanceof RunStopped) {
    if (error.why === 'cancelled') await end({ id, claim, state: 'cancelled', error: null })
    if (error.why === 'stopping')
      await handBack({ id, claim, delaySeconds: 0, forgivenAttempts: 1 })
    return
  }
  if (error instanceof Refusal)
    return fail(id, claim, { code: error.refusalCode, details: error.details })
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
    return fail(id, claim, { code: 'DISK_FULL' })
  logger.error({ err: error, run: id, kind }, 'a run broke off')
  if (attempts < MOST_ATTEMPTS)
    await handBack({ id, claim, delaySeconds: AGAIN_SECONDS * attempts, forgivenAttempts: 0 })
  else await fail(id, claim, { code: 'INTERNAL_ERROR' })
}

const fail = async (id: number, claim: string, error: { code: string; details?: object }) =>
  void (await end({ id, claim, state: 'failed', error: JSON.stringify(error) }))
