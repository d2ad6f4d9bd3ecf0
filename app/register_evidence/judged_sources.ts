import {
  readKeptRegisters,
  sourcesSharingIdsOf,
  type KeptRegister,
} from '#register_evidence/kept_registers'
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
const changeJudged = statement<{ id: number }, { sourceId: number; judgedAs: JudgedAs }>(
  'register_source_change_judged',
  'UPDATE register_sources SET judged_as = :judgedAs WHERE id = :sourceId AND judged_as IS DISTINCT FROM :judgedAs RETURNING id'
)

/**
 * A register may change what is known of its source, and so how earlier registers are judged: a check of all their days is asked
 * for. The first register of a source changes nothing that was judged before.
 *
 * Example: wallets lack 2 of 10 orders in November, and 90 of 100 in December
 *     they show a part of the sales: November is checked again
 */
export async function judgeAgainWhatChanged(partnerId: number, trx: TransactionClientContract) {
  const kept = await readKeptRegisters(partnerId, trx)
  const registers = [...kept.values()]
  const sharing = sourcesSharingIdsOf(registers)
  const bySource = Map.groupBy(registers, ({ source }) => source)
  for (const { sourceId, judgedAs: before } of await selectJudged({ partnerId }, trx)) {
    const own = bySource.get(String(sourceId))
    if (!own) continue
    const judgedAs = own[0].numbersItself ? 'own' : (sharing.get(String(sourceId)) ?? 'unknown')
    if (judgedAs === before) continue
    const changed = await changeJudged.first({ sourceId, judgedAs }, trx)
    const hasEarlier = own.length > 1 || before !== null
    // Then the change itself has asked for the check (`change_register_source.ts`).
    const isChangedByPerson = before !== null && [before, judgedAs].includes('own')
    if (!changed || !hasEarlier || isChangedByPerson) continue
    const causedBy = `source ${sourceId}, ${before} to ${judgedAs}, register ${newestOf(own)}`
    await requestCheckOfSource({ sourceId, causedBy }, { actor: CLOCK, language: 'ru' }, trx)
  }
}

const newestOf = (registers: KeptRegister[]) =>
  Math.max(...registers.map(({ registerId }) => registerId))
