import type { Party } from '#settlement/defects/facts'
import type { DatedRefund, EvidenceRow } from '#settlement/registers/register_evidence'
import { atLeastNothing, lesser, sum } from '#shared/tenge'

/** By how much what went back of one order differs from what was void, in the sense of the case. */
export function openOf(order: SharingOrder, refunds: DatedRefund[], party?: Party) {
  const more = sum(refunds.map(({ tenge }) => tenge)) - voidOf(order)
  return atLeastNothing(party === 'BUYER' ? -more : more)
}

type SharingOrder = EvidenceRow['orders'][number]
const voidOf = ({ total, tenge }: SharingOrder) => BigInt(total - tenge)

/**
 * One row may give back what several orders cost: each has of it what was void of its tickets, then up to its total, the last
 * what is beyond.
 */
export function spread(refunds: DatedRefund[], orders: SharingOrder[]) {
  const shares = orders.map((order) => ({
    ...{ order, refunds: [] as DatedRefund[] },
    room: [voidOf(order), BigInt(order.tenge)],
  }))
  for (const refund of refunds) {
    let left = refund.tenge
    const parts = shares.map(() => 0n)
    for (const turn of [0, 1])
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
