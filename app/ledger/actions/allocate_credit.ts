import { lockAccount } from '#ledger/accounts'
import {
  findAllocation,
  findItem,
  listAllocationsOf,
  type Allocation,
  type Item,
} from '#ledger/queries/open_items'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { min } from '#shared/tenge'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

interface NewAllocation {
  partnerId: number
  /** Items as `payment:3`, `memo:7`, `statement:12`. */
  credit: string
  debit: string
  amountTenge: bigint
}

const insertAllocation = statement<
  { id: number },
  NewAllocation & { reversesId: number | null; reason: string | null; actor: string }
>(
  'settlement_allocation_insert',
  `INSERT INTO settlement_allocations (partner_id, credit, debit, amount_tenge, reverses_id, reason, allocated_by)
   VALUES (:partnerId, :credit, :debit, :amountTenge, :reversesId, :reason, :actor) RETURNING id::int AS id`
)

export interface AllocateCreditInput {
  partnerCode: string
  credit: string
  debit: string
  amountTenge: bigint
  actor: Actor
}

/**
 * Puts an open credit of a partner, or a part of it, against an open debit. No money moves: the balance stays what it is.
 * Refuses NO_SUCH, two items of one side, and more than is open of either.
 *
 * Example: SET-000002 has 60,000 open; payment ПП-17 has 20,000 left.
 *   15,000  accepted: SET-000002 has 45,000 open, ПП-17 has 5,000 left
 *   20,001  refused
 */
export default class AllocateCredit {
  async handle({ partnerCode, credit, debit, amountTenge, actor }: AllocateCreditInput) {
    return transaction(async (trx) => {
      const { partnerId } = await lockAccount(partnerCode, trx)
      const [from, to] = [
        await findItemOf(partnerId, credit, trx),
        await findItemOf(partnerId, debit, trx),
      ]
      if (from.signedTenge >= 0n || to.signedTenge <= 0n)
        refuseField('debit', 'exists', 'must be a credit put against a debit')
      if (amountTenge <= 0n) refuseField('amountTenge', 'positive', 'must be more than nothing')
      if (amountTenge > min(from.restTenge, to.restTenge))
        refuseField(
          'amountTenge',
          'range',
          'must not exceed what is open of the credit and of the debit'
        )
      return allocateWithin({ partnerId, credit, debit, amountTenge }, actor, trx)
    })
  }
}

async function findItemOf(partnerId: number, item: string, trx: TransactionClientContract) {
  const found = await findItem.first({ partnerId, item }, trx)
  return found ?? refuse('NO_SUCH', { what: 'item of this account' })
}

/** Within a transaction that has locked the account. The database refuses more than is open. */
export async function allocateWithin(
  allocation: NewAllocation,
  actor: Actor,
  trx: TransactionClientContract
): Promise<number> {
  const by = { reversesId: null, reason: null, actor: actor.name }
  const { id } = await insertAllocation.one({ ...allocation, ...by }, trx)
  await record('credit_allocated', allocationEntry(allocation), entryOf(allocation, actor), trx)
  return id
}

/** Puts as much as both have open against each other, at most `mostTenge`, whichever of the two is the credit. */
export async function allocateRest(
  one: Item,
  other: Item,
  { partnerId, mostTenge, actor }: { partnerId: number; mostTenge: bigint; actor: Actor },
  trx: TransactionClientContract
) {
  const amountTenge = min(mostTenge, min(one.restTenge, other.restTenge))
  if (amountTenge <= 0n) return
  const [credit, debit] = one.signedTenge < 0n ? [one.item, other.item] : [other.item, one.item]
  await allocateWithin({ partnerId, credit, debit, amountTenge }, actor, trx)
}

export interface UndoAllocationInput {
  partnerCode: string
  allocationId: number
  reason: string
  actor: Actor
}

/**
 * Undoes an allocation by a row of its own: credit and debit are open again. Refuses NO_SUCH, also when it is undone already, and
 * of a document against its reversal: neither of them can be put against anything else.
 */
export class UndoAllocation {
  async handle({ partnerCode, allocationId, reason, actor }: UndoAllocationInput) {
    return transaction(async (trx) => {
      const { partnerId } = await lockAccount(partnerCode, trx)
      const found = await findAllocation.first({ partnerId, allocationId }, trx)
      if (!found || found.isReversal) refuse('NO_SUCH', { what: 'allocation to be undone' })
      await undo(partnerId, found, reason, actor, trx)
    })
  }
}

/** Undoes everything that is put against an item, within a transaction that has locked the account. */
export async function undoAllocationsOf(
  { partnerId, item, reason }: { partnerId: number; item: string; reason: string },
  actor: Actor,
  trx: TransactionClientContract
) {
  for (const found of await listAllocationsOf({ partnerId, item }, trx))
    await undo(partnerId, found, reason, actor, trx)
}

async function undo(
  partnerId: number,
  { id, credit, debit, amountTenge }: Allocation,
  reason: string,
  actor: Actor,
  trx: TransactionClientContract
) {
  const allocation = { partnerId, credit, debit, amountTenge }
  const undone = { amountTenge: -amountTenge, reversesId: id, reason, actor: actor.name }
  await insertAllocation.one({ ...allocation, ...undone }, trx)
  const change = { ...allocationEntry(allocation), reason }
  await record('allocation_undone', change, entryOf(allocation, actor), trx)
}

const allocationEntry = ({ credit, debit, amountTenge }: NewAllocation) => ({
  credit,
  debit,
  amount_tenge: String(amountTenge),
})
const entryOf = ({ partnerId }: NewAllocation, actor: Actor) => ({ actor, partnerId })
