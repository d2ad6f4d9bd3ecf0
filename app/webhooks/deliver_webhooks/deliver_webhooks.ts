import {
  claimDeliveries,
  lockEndpoint,
  releaseClaims,
  releaseEndpoint,
  type Claim,
  type Endpoint,
} from '#webhooks/deliver_webhooks/claim_deliveries'
import { disableEndpoint, notifyFailing } from '#webhooks/deliver_webhooks/failing_endpoint'
import { recordAttempts, type Attempted } from '#webhooks/deliver_webhooks/record_attempts'
import platform from '#config/platform'
import { isOurFault, sendDelivery } from '#webhooks/deliver_webhooks/send'
import { randomUUID } from 'node:crypto'

const IN_FLIGHT = 4
/** Deliveries claimed at once: few at first, doubled while the endpoint answers well and quickly. */
const MIN_BATCH = 8
const MAX_BATCH = 128
const QUICK_MS = 2_000
/** An attempt that starts this long after its claim still ends before the lease does. */
const START_WITHIN_MS = 20_000
/** A round ends after this time, so that no endpoint occupies a worker. */
const ROUND_MS = 10_000
const NOTIFY_AFTER_SECONDS = 3600
const DISABLE_AFTER_SECONDS = 5 * 24 * 3600

/**
 * Sends what is due at one endpoint, a few deliveries at a time, in the order of each subject (contract, Webhooks). A quiet
 * deployment sends nothing: its deliveries stay due.
 */
export default async function deliverWebhooks(
  { id }: { id: number },
  stopping?: AbortSignal
): Promise<void> {
  if (platform.isQuiet) return
  const round = randomUUID()
  try {
    await sendRound(id, round, stopping)
  } finally {
    await releaseEndpoint(id, round)
  }
}

async function sendRound(id: number, round: string, stopping?: AbortSignal) {
  const until = performance.now() + ROUND_MS
  let size = MIN_BATCH
  while (performance.now() < until && !stopping?.aborted) {
    const endpoint = await lockEndpoint(id, round)
    if (!endpoint) return
    const claims = await claimDeliveries(id, size)
    if (claims.length === 0) return
    const began = performance.now()
    const attempted = await sendBatch(endpoint, claims, stopping)
    if (await endsRound(endpoint, attempted)) return
    const isHealthy = attempted.every(isDelivered) && performance.now() - began < QUICK_MS
    size = isHealthy ? Math.min(2 * size, MAX_BATCH) : MIN_BATCH
  }
}

const isDelivered = ({ outcome }: Attempted) => outcome.failure === null

/** Stops early when the lease is near its end, when every attempt fails, or with the worker; releases unsent claims. */
async function sendBatch(
  endpoint: Endpoint,
  claims: Claim[],
  stopping?: AbortSignal
): Promise<Attempted[]> {
  const attempted: Attempted[] = []
  const unsent: Claim[] = []
  const until = performance.now() + START_WITHIN_MS
  const isLate = () => stopping?.aborted || performance.now() > until
  const isHopeless = () => attempted.length >= MIN_BATCH && !attempted.some(isDelivered)
  const queue = claims.values()
  const sendNext = async () => {
    for (const claim of queue) {
      if (isLate() || isHopeless()) unsent.push(claim)
      else attempted.push({ claim, outcome: await sendDelivery(endpoint, claim) })
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendNext))
  if (unsent.length > 0) await releaseClaims(unsent)
  return attempted
}

/** Records the batch; true when nothing more is to be sent to the endpoint in this round. */
async function endsRound(endpoint: Endpoint, attempted: Attempted[]): Promise<boolean> {
  const health = await recordAttempts(endpoint.id, attempted, MIN_BATCH)
  if (attempted.some(({ outcome }) => outcome.status === 410)) {
    await disableEndpoint(endpoint, 'gone')
    return true
  }
  const counted = attempted.filter(({ outcome }) => !isOurFault(outcome))
  if (counted.length === 0) return false
  const { failing_seconds: failing, is_notified: isNotified } = health
  if (failing === null) return false
  if (failing >= DISABLE_AFTER_SECONDS) await disableEndpoint(endpoint, 'failing')
  else if (failing >= NOTIFY_AFTER_SECONDS && !isNotified) await notifyFailing(endpoint)
  return counted.every(({ outcome }) => outcome.failure !== null)
}
