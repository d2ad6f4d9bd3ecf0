import type { Party } from '#defects/facts/register_facts'
import type { DatedRefund, EvidenceOrder } from '#reconciliation/evidence/evidence_rows'
import { atLeastNothing, lesser, sum } from '#shared/tenge'

/** By how much what went back of one order differs from what was void in the register's days, in the sense of the case. */
export function openOf(order: EvidenceOrder, refunds: DatedRefund[], party?: Party) {
  const more = sum(refunds.map(({ tenge }) => tenge)) - BigInt(order.voidInDays)
  return atLeastNothing(party === 'BUYER' ? -more : more)
}

/** What it may have of a refund, turn by turn: what was void in the register's days, then before, then the rest. */
function roomOf({ total, tenge, voidInDays }: EvidenceOrder) {
  const ofDays = Math.min(voidInDays, total - tenge)
  return [ofDays, total - tenge - ofDays, tenge].map(BigInt)
}

/** One row may give back what several orders cost: each has its part, the last what is beyond. */
export function spread(refunds: DatedRefund[], orders: EvidenceOrder[]) {
  const shares = orders.map((order) => ({
    order,
    refunds: [] as DatedRefund[],
    room: roomOf(order),
  }))
  for (const refund of refunds) {
    let left = refund.tenge
    const parts = shares.map(() => 0n)
    for (const turn of [0, 1, 2])
      for (const [index, { room }] of shares.entries()) {
        const part = lesser(left, room[turn])
        room[turn] -= part
        left -= part
        parts[index] += part
      }
    parts[parts.length - 1] += left
    for (const [index, tenge] of parts.entries())
      if (tenge > 0n) shares[index].refunds.push({ ...refund, tenge })
  }
  return shares
}
