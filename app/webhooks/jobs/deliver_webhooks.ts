import { disableEndpoint, tellFailing } from '#webhooks/actions/endpoint_standing'
import {
  claim,
  leaveEndpoint,
  takeEndpoint,
  type Claim,
  type Endpoint,
} from '#webhooks/queries/claim'
import { settle, type Attempted } from '#webhooks/queries/settle'
import { send, wasOurFault } from '#webhooks/send'
import { randomUUID } from 'node:crypto'

const IN_FLIGHT = 4
const BATCH = 8
/** A round ends, so that a worker that is told to stop can. */
const ROUND_MS = 10_000
const TELL_AFTER_SECONDS = 3600
const DISABLE_AFTER_SECONDS = 5 * 24 * 3600

/** Sends what is due at one endpoint, a few at a time, in the order of each subject (contract, Webhooks). */
export default async function deliverWebhooks({ id }: { id: number }): Promise<void> {
  const round = randomUUID()
  try {
    await sendRound(id, round)
  } finally {
    await leaveEndpoint(id, round)
  }
}

async function sendRound(id: number, round: string) {
  const until = performance.now() + ROUND_MS
  while (performance.now() < until) {
    const endpoint = await takeEndpoint(id, round)
    if (!endpoint) return
    const claims = await claim(id, BATCH)
    if (claims.length === 0) return
    const attempted = await sendAll(endpoint, claims)
    if (await isOver(endpoint, attempted)) return
  }
}

async function sendAll(endpoint: Endpoint, claims: Claim[]): Promise<Attempted[]> {
  const attempted: Attempted[] = []
  const queue = claims.values()
  const line = async () => {
    for (const next of queue) attempted.push({ claim: next, outcome: await send(endpoint, next) })
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, line))
  return attempted
}

/** Records the batch; true when the endpoint isn't to be called again in this round. */
async function isOver(endpoint: Endpoint, attempted: Attempted[]): Promise<boolean> {
  const standing = await settle(endpoint.id, attempted, BATCH)
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
