import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import platform from '#config/platform'
import type { FollowUp } from '#shared/follow_up'
import { renewFeed } from '#partners/queries/renew_feed'
import { transaction } from '#shared/transaction'
import { lockRelay, passOver, relay, selectDueEndpoints, settleHere } from '#webhooks/queries/relay'

/**
 * Turns news of the journal into deliveries and asks for a round of sending wherever something is due,
 * new or to be repeated. What Redis forgets is asked for again a second later.
 */
export default async function relayNews(): Promise<FollowUp[]> {
  await transaction(async (trx) => {
    const position = await lockRelay.first([], trx)
    if (!position) return
    if (platform.contractPhase === 1) await passOver([], trx)
    else await relay([position.seen, position.foreign_until], trx)
    if (!position.is_at_home) await settle(trx)
  })
  const due = await selectDueEndpoints([])
  // An id of this second: a job that died with its worker must not keep the next one from being queued.
  const second = Math.floor(Date.now() / 1000)
  return due.map(({ id }) => {
    return { job: 'deliver_webhooks', id: `endpoint-${id}-${second}`, data: { id } }
  })
}

/** A dump came here from another cluster: what it had left to tell has been told, the rest is old. */
async function settle(trx: TransactionClientContract) {
  await settleHere([], trx)
  await renewFeed(trx)
}
