import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import platform from '#config/platform'
import type { FollowUp } from '#shared/follow_up'
import { republishFeed } from '#partners/feed/republish_feed'
import { transaction } from '#shared/transaction'
import {
  lastRestored,
  lockRelay,
  passOver,
  relay,
  relayAfter,
  selectDueEndpoints,
  settleHere,
} from '#webhooks/relay_news/relay_news_sql'

/**
 * Turns news of the journal into deliveries and asks for a round of sending wherever something is due,
 * new or to be repeated. What Redis forgets is asked for again a second later.
 */
export default async function relayNews(): Promise<FollowUp[]> {
  await transaction(async (trx) => {
    const position = await lockRelay.first({}, trx)
    if (!position) return
    const isSilent = platform.contractPhase === 1
    if (isSilent) await passOver({}, trx)
    else await relay({ seen: position.seen, foreignUntil: position.foreign_until }, trx)
    if (position.is_restored) await settle(isSilent, trx)
  })
  const due = await selectDueEndpoints({})
  // An id of this second: a job that died with its worker must not keep the next one from being queued.
  const second = Math.floor(Date.now() / 1000)
  return due.map(({ id }) => {
    return { job: 'deliver_webhooks', id: `endpoint-${id}-${second}`, data: { id } }
  })
}

/**
 * The database was restored from a dump. What the dump had left to relay has been relayed, by transaction ids that are right
 * among themselves. Entries written since then are compared with no id of the dump: all of them are news.
 */
async function settle(isSilent: boolean, trx: TransactionClientContract) {
  const { id } = await lastRestored.one({}, trx)
  if (!isSilent) await relayAfter({ id }, trx)
  await settleHere({ id }, trx)
  await republishFeed(trx)
}
