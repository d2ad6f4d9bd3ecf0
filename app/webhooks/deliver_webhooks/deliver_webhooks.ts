import { disableEndpoint, tellFailing } from '#webhooks/deliver_webhooks/failing_endpoint'
import {
  claim,
  handBack,
  leaveEndpoint,
  takeEndpoint,
  type Claim,
  type Endpoint,
} from '#webhooks/deliver_webhooks/claim_deliveries'
import { settle, type Attempted } from '#webhooks/deliver_webhooks/record_attempts'
import { send, wasOurFault } from '#webhooks/deliver_webhooks/send'
import { randomUUID } from 'node:crypto'

const IN_FLIGHT = 4
/** As many are claimed at once: few at first, more while the endpoint answers well and soon. */
const SMALLEST_BATCH = 8
const LARGEST_BATCH = 128
const SOON_MS = 2_000
/** An attempt that begins this long after its claim still ends before the lease does. */
const BEGIN_WITHIN_MS = 20_000
/** A round ends, so that no endpoint keeps a worker to itself. */
const ROUND_MS = 10_000
const TELL_AFTER_SECONDS = 3600
const DISABLE_AFTER_SECONDS = 5 * 24 * 3600

/** Sends what is due at one endpoint, a few at a time, in the order of each subject (contract, Webhooks). */
export default async function deliverWebhooks(
  { id }: { id: number },
  stopping?: AbortSignal
): Promise<void> {
  const round = randomUUID()
  try {
    await sendRound(id, round, stopping)
  } finally {
    await leaveEndpoint(id, round)
  }
}

async function sendRound(id: number, round: string, stopping?: AbortSignal) {
  const until = performance.now() + ROUND_MS
  let size = SMALLEST_BATCH
  while (performance.now() < until && !stopping?.aborted) {
    const endpoint = await takeEndpoint(id, round)
    if (!endpoint) return
    const claims = await claim(id, size)
    if (claims.length === 0) return
    const began = performance.now()
    const attempted = await sendAll(endpoint, claims, stopping)
    if (await isOver(endpoint, attempted)) return
    const isWell = attempted.every(succeeded) && performance.now() - began < SOON_MS
    size = isWell ? Math.min(2 * size, LARGEST_BATCH) : SMALLEST_BATCH
  }
}

const succeeded = ({ outcome }: Attempted) => outcome.failure === null

/** Sends until it would take too long, seems in vain or the worker is to stop; what wasn't sent is handed back as it was. */
async function sendAll(
  endpoint: Endpoint,
  claims: Claim[],
  stopping?: AbortSignal
): Promise<Attempted[]> {
  const attempted: Attempted[] = []
  const unsent: Claim[] = []
  const until = performance.now() + BEGIN_WITHIN_MS
  const isLate = () => stopping?.aborted || performance.now() > until
  const isInVain = () => attempted.length >= SMALLEST_BATCH && !attempted.some(succeeded)
  const queue = claims.values()
  const line = async () => {
    for (const next of queue) {
      if (isLate() || isInVain()) unsent.push(next)
      else attempted.push({ claim: next, outcome: await send(endpoint, next) })
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, line))
  if (unsent.length > 0) await handBack(unsent)
  return attempted
}

/** Records the batch; true when the endpoint isn't to be called again in this round. */
async function isOver(endpoint: Endpoint, attempted: Attempted[]): Promise<boolean> {
  const standing = await settle(endpoint.id, attempted, SMALLEST_BATCH)
  if (attempted.some(({ outcome }) => outcome.status === 410)) {
    await disableEndpoint(endpoint, 'gone')
    return true
  }
  const counted = attempted.filter(({ outcome }) => !wasOurFault(outcome))
  if (counted.length === 0) return false
  const { failing_seconds: failing, is_told: isTold } = standing
  if (failing === null) return false
  if (failing >= DISABLE_AFTER_SECONDS) await disableEndpoint(endpoint, 'failing')
  else if (failing >= TELL_AFTER_SECONDS && !isTold) await tellFailing(endpoint)
  return counted.every(({ outcome }) => outcome.failure !== null)
}
