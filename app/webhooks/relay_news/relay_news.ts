import platform from '#config/platform'
import { republishFeed } from '#partners/feed/republish_feed'
import type { FollowUp } from '#shared/follow_up'
import { transaction } from '#shared/transaction'
import {
  findLastRestoredEntry,
  listDueEndpoints,
  lockRelay,
  recordRestore,
  relayAfter,
  relaySince,
  skipNews,
} from '#webhooks/relay_news/relay_news_sql'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * Transactional outbox: the journal is written in the transaction of each change, and this job turns its news into
 * deliveries. It remembers the PostgreSQL snapshot of its last run, so an entry that commits late is not missed.
 *
 *     entry     transaction    committed     run at 12:00:00    run at 12:00:01
 *     41        900            11:59:59      relayed            –
 *     42        901            12:00:00.5    –                  relayed
 *     43        902            11:59:59      relayed            –
 *
 * Returns a job of sending for every endpoint with something due. A job that Redis loses is returned again a second later.
 */
export default async function relayNews(): Promise<FollowUp[]> {
  await transaction(async (trx) => {
    const position = await lockRelay.first({}, trx)
    if (!position) return
    // Phase 1 of the contract has no webhooks.
    const isSilent = platform.contractPhase === 1
    if (isSilent) await skipNews({}, trx)
    else await relaySince({ seen: position.seen, foreignUntil: position.foreign_until }, trx)
    if (position.is_restored) await handleRestore(isSilent, trx)
  })
  if (platform.isQuiet) return []
  const due = await listDueEndpoints({})
  // The id names this second: a job that died with its worker must not keep the next one from being queued.
  const second = Math.floor(Date.now() / 1000)
  return due.map(({ id }) => {
    return { job: 'deliver_webhooks', id: `endpoint-${id}-${second}`, data: { id } }
  })
}

/**
 * After a restore from a dump: `relaySince` has relayed the dumped entries, whose transaction ids fit the dumped snapshot.
 * Entries written since the restore can't be compared with that snapshot, so all of them are relayed.
 */
async function handleRestore(isSilent: boolean, trx: TransactionClientContract) {
  const { id } = await findLastRestoredEntry.one({}, trx)
  if (!isSilent) await relayAfter({ id }, trx)
  await recordRestore({ id }, trx)
  await republishFeed(trx)
}
