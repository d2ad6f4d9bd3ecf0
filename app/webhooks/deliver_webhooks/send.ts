import { openSecret } from '#partners/api_key'
import { sign } from '#shared/signature'
import { composeNotice } from '#webhooks/deliver_webhooks/compose_notice'
import { post, type Outcome } from '#webhooks/deliver_webhooks/post'
import type { Claim, Endpoint } from '#webhooks/deliver_webhooks/claim_deliveries'
import logger from '@adonisjs/core/services/logger'
import { randomUUID } from 'node:crypto'

/** One attempt. Whatever goes wrong is its outcome: a delivery that cannot be sent must not stop the others. */
export async function send(endpoint: Endpoint, one: Claim): Promise<Outcome> {
  const { api_key: apiKey, secret_encrypted: encrypted } = endpoint
  if (apiKey === null || encrypted === null) return notSent('no_key')
  const secret = attempt('unreadable_key', one, () => openSecret(apiKey, encrypted))
  if (secret === null) return notSent('unreadable_key')
  const request = attempt('not_composed', one, () => compose(endpoint.url, apiKey, secret, one))
  if (request === null) return notSent('not_composed')
  return post(request.url, request.headers, request.body)
}

/** An entry of the journal that we cannot put into words says nothing about the endpoint, and never will be put otherwise. */
export const wasOurFault = ({ failure }: Pick<Outcome, 'failure'>) => failure === 'not_composed'

/** Null when it fails; why is in the log. */
function attempt<Made>(failure: string, { id, webhook_id: webhookId }: Claim, make: () => Made) {
  try {
    return make()
  } catch (error) {
    logger.error({ err: error, delivery: String(id), webhookId }, `webhook ${failure}`)
    return null
  }
}

/** Signed anew for each attempt, over the very bytes that are sent. */
function compose(address: string, apiKey: string, secret: string, one: Claim) {
  const url = new URL(address)
  const { name, body } = composeNotice(one)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const parts = { timestamp, method: 'POST', uri: url.pathname + url.search, body }
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'ticket-partners-webhooks',
    'X-Api-Key': apiKey,
    'X-Timestamp': timestamp,
    'X-Signature': sign(secret, parts),
    'X-Webhook-Id': one.webhook_id,
    'X-Webhook-Event': name,
    'X-Webhook-Attempt': String(one.attempt),
    'X-Request-Id': randomUUID(),
  }
  return { url, headers, body }
}

const notSent = (failure: string): Outcome => ({
  startedAt: new Date(),
  durationMs: 0,
  status: null,
  failure,
  response: null,
  retryAfter: null,
})
