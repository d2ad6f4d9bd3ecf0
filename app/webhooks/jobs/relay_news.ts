import platform from '#config/platform'
import type { FollowUp } from '#shared/follow_up'
import { transaction } from '#shared/transaction'
import { lockRelay, passOver, relay, selectDueEndpoints } from '#webhooks/queries/relay'

/**
 * Turns news of the journal into deliveries and asks for a round of sending wherever something is due,
 * new or to be repeated. What Redis forgets is asked for again a second later.
 */
export default async function relayNews(): Promise<FollowUp[]> {
  await transaction(async (trx) => {
    const position = await lockRelay.first([], trx)
    if (!position) return
    if (platform.contractPhase === 1) await passOver([], trx)
    else await relay([position.seen], trx)
  })
  const due = await selectDueEndpoints([])
  // An id of this second: a job that died with its worker must not keep the next one from being queued.
  const second = Math.floor(Date.now() / 1000)
  return due.map(({ id }) => {
    return { job: 'deliver_webhooks', id: `endpoint-${id}-${second}`, data: { id } }
  })
}
