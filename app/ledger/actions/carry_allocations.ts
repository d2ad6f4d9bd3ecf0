import { allocateRest } from '#ledger/actions/allocate_credit'
import { findItem } from '#ledger/queries/open_items'
import type { Actor } from '#shared/actor'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

interface CarriedAllocation {
  item: string
  tenge: bigint
}

const selectUndone = statement<CarriedAllocation, { partnerId: number; statementId: number }>(
  'settlement_allocations_of_withdrawn',
  `SELECT CASE WHEN a.debit = 'statement:' || s.id THEN a.credit ELSE a.debit END AS item, a.amount_tenge AS tenge
     FROM settlement_statements s
     JOIN settlement_allocations a ON a.partner_id = s.partner_id AND 'statement:' || s.id IN (a.credit, a.debit)
     JOIN settlement_allocations undone ON undone.reverses_id = a.id AND undone.allocated_at >= s.status_at
    WHERE s.id = :statementId AND s.partner_id = :partnerId ORDER BY a.id`
)

interface Successor {
  partnerId: number
  /** The withdrawn statement; null when none is replaced. */
  fromId: number | null
  toId: number
}

/**
 * Puts what a withdrawn statement was paid with against the one that is issued in its place, as far as it is still open.
 *
 * Example: SET-000001 of 100,000 was paid with 100,000 and withdrawn; SET-000002 of 90,000 is issued for the period.
 *   SET-000002 is overpaid: 90,000 is put against it, 10,000 stays an open credit.
 */
export async function carryAllocations(
  { partnerId, fromId, toId }: Successor,
  actor: Actor,
  trx: TransactionClientContract
) {
  if (fromId === null) return
  for (const { item, tenge } of await selectUndone({ partnerId, statementId: fromId }, trx)) {
    const paidWith = await findItem.one({ partnerId, item }, trx)
    const successor = await findItem.one({ partnerId, item: `statement:${toId}` }, trx)
    const isOpposite = paidWith.signedTenge > 0n !== successor.signedTenge > 0n
    if (!isOpposite) continue
    await allocateRest(paidWith, successor, { partnerId, mostTenge: tenge, actor }, trx)
  }
}
