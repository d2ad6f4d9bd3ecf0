import { openSecret } from '#partners/api_key'
import { sign } from '#shared/signature'
import { disableEndpoint, tellFailing } from '#webhooks/actions/endpoint_standing'
import { composeNotice } from '#webhooks/notice'
import { post } from '#webhooks/post'
import {
  claim,
  leaveEndpoint,
  takeEndpoint,
  type Claim,
  type Endpoint,
} from '#webhooks/queries/claim'
import { settle, type Attempted } from '#webhooks/queries/settle'
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

/** Signed anew for each attempt, over the very bytes that are sent. */
async function send(
  { url: address, api_key: apiKey, secret_encrypted: secret }: Endpoint,
  one: Claim
) {
  const url = new URL(address)
  if (apiKey === null || secret === null) return notSent('no_key')
  const { name, body } = composeNotice(one)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const parts = { timestamp, method: 'POST', uri: url.pathname + url.search, body }
  return post(
    url,
    {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': 'ticket-partners-webhooks',
      'X-Api-Key': apiKey,
      'X-Timestamp': timestamp,
      'X-Signature': sign(openSecret(apiKey, secret), parts),
      'X-Webhook-Id': one.webhook_id,
      'X-Webhook-Event': name,
      'X-Webhook-Attempt': String(one.attempt),
      'X-Request-Id': randomUUID(),
    },
    body
  )
}

const notSent = (failure: string) => ({
  ...{ startedAt: new Date(), durationMs: 0, status: null, failure },
  ...{ response: null, retryAfter: null },
})

/** Records the batch; true when the endpoint isn't to be called again in this round. */
async function isOver(endpoint: Endpoint, attempted: Attempted[]): Promise<boolean> {
  const standing = await settle(endpoint.id, attempted, BATCH)
  if (attempted.some(({ outcome }) => outcome.status === 410)) {
    await disableEndpoint(endpoint, 'gone')
    return true
  }
  const { failing_seconds: failing, is_told: isTold } = standing
  if (failing === null) return false
  if (failing >= DISABLE_AFTER_SECONDS) await disableEndpoint(endpoint, 'failing')
  else if (failing >= TELL_AFTER_SECONDS && !isTold) await tellFailing(endpoint)
  return attempted.every(({ outcome }) => outcome.failure !== null)
}
