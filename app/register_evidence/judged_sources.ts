import { readKeptRegisters, sourcesSharingIdsOf } from '#register_evidence/kept_registers'
import { requestCheckOfSource } from '#reconciliation/store/check_of_source'
import { CLOCK } from '#shared/actor'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** How the registers of a source are judged. Unknown: its payment ids are not known to be those of confirms. */
type JudgedAs = 'all' | 'part' | 'own' | 'unknown'

const selectJudged = statement<
  { sourceId: number; judgedAs: JudgedAs | null },
  { partnerId: number }
>(
  'register_sources_judged',
  'SELECT id AS "sourceId", judged_as AS "judgedAs" FROM register_sources WHERE partner_id = :partnerId ORDER BY id'
)
// Of two checks at once one changes it.
const changeJudged = statement<
  { before: JudgedAs | null },
  { sourceId: number; judgedAs: JudgedAs }
>(
  'register_source_change_judged',
  `UPDATE register_sources s SET judged_as = :judgedAs
     FROM (SELECT id, judged_as FROM register_sources WHERE id = :sourceId FOR UPDATE) was
    WHERE s.id = was.id AND was.judged_as IS DISTINCT FROM :judgedAs RETURNING was.judged_as AS before`
)

/**
 * A register may change what is known of its source, and so how earlier registers are judged: a check of all their days is asked
 * for. Of a source without earlier registers nothing was judged.
 *
 * Example: wallets lack 2 of 10 orders in November, and 90 of 100 in December
 *     they show a part of the sales: November is checked again
 */
export async function judgeAgainWhatChanged(partnerId: number, trx: TransactionClientContract) {
  const kept = await readKeptRegisters(partnerId, trx)
  const registers = [...kept.values()]
  const sharing = sourcesSharingIdsOf(registers)
  const isOwn = new Map(registers.map(({ source, numbersItself }) => [source, numbersItself]))
  for (const { sourceId, judgedAs: before } of await selectJudged({ partnerId }, trx)) {
    const source = String(sourceId)
    if (!isOwn.has(source)) continue
    const judgedAs = isOwn.get(source) ? 'own' : (sharing.get(source) ?? 'unknown')
    if (judgedAs !== before) await judgeAs(judgedAs, sourceId, trx)
  }
}

async function judgeAs(judgedAs: JudgedAs, sourceId: number, trx: TransactionClientContract) {
  const changed = await changeJudged.first({ sourceId, judgedAs }, trx)
  const wasJudged = changed !== undefined && changed.before !== null
  if (wasJudged) await requestCheckOfSource(sourceId, { actor: CLOCK, language: 'ru' }, trx)
}
