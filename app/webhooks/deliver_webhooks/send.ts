import { openSecret } from '#partners/api_key'
import { sign } from '#shared/signature'
import { composeNotice } from '#webhooks/deliver_webhooks/compose_notice'
import { post, type Outcome } from '#webhooks/deliver_webhooks/post'
import type { Claim, Endpoint } from '#webhooks/deliver_webhooks/claim_deliveries'
import logger from '@adonisjs/core/services/logger'
import { randomUUID } from 'node:crypto'

/** Makes one attempt. Every error becomes its outcome: a delivery that can't be sent must not stop the others. */
export async function sendDelivery(endpoint: Endpoint, claim: Claim): Promise<Outcome> {
  const { api_key: apiKey, secret_encrypted: encrypted } = endpoint
  if (apiKey === null || encrypted === null) return notSent('no_key')
  const secret = tryTo('unreadable_key', claim, () => openSecret(apiKey, encrypted))
  if (secret === null) return notSent('unreadable_key')
  const request = tryTo('not_composed', claim, () =>
    composeRequest(endpoint.url, apiKey, secret, claim)
  )
  if (request === null) return notSent('not_composed')
  return post(request.url, request.headers, request.body)
}

/** A journal entry that we can't compose says nothing about the endpoint, and a retry would fail too. */
export const isOurFault = ({ failure }: Pick<Outcome, 'failure'>) => failure === 'not_composed'

/** Null when `make` throws; the error is logged. */
function tryTo<Made>(failure: string, { id, webhook_id: webhookId }: Claim, make: () => Made) {
  try {
    return make()
  } catch (error) {
    logger.error({ err: error, delivery: String(id), webhookId }, `webhook ${failure}`)
    return null
  }
}

/** Signs each attempt again, over exactly the bytes that are sent. */
function composeRequest(address: string, apiKey: string, secret: string, claim: Claim) {
  const url = new URL(address)
  const { name, body } = composeNotice(claim)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const parts = { timestamp, method: 'POST', uri: url.pathname + url.search, body }
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'ticket-partners-webhooks',
    'X-Api-Key': apiKey,
    'X-Timestamp': timestamp,
    'X-Signature': sign(secret, parts),
    'X-Webhook-Id': claim.webhook_id,
    'X-Webhook-Event': name,
    'X-Webhook-Attempt': String(claim.attempt),
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
