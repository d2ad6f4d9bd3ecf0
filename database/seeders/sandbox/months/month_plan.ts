/**
 * What two sandbox partners sold in the two months before this one, and in what way their registers differ from it. The same in
 * every sandbox of a month.
 *
 * Example: the month of `kassa` that is not closed yet has 36 paid orders, and
 *   lacks_in_register   a paid order that the register lacks            ours: nobody acknowledges its tickets
 *   charged_twice       a second payment for an order, in the register  the buyer's
 *   late                a payment whose confirm came after the window   the buyer's
 *   refund_not_shown    tickets that were refunded, without a return    the buyer's
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/days'
import type { Period } from '#ledger/periods'

export type Story =
  'plain' | 'refunded' | 'lacks_in_register' | 'charged_twice' | 'late' | 'refund_not_shown'

export interface PlannedOrder {
  /** The partner's own number of it: `kassa-2026-10-007`. */
  reference: string
  story: Story
  placedAt: Date
  seats: number
}

const ORDERS_OF_A_MONTH = 36
/** Sales end some days before the month does, so that refunds are of the same month. */
const DAYS_WITHOUT_SALES = 5
const DIFFERENCES: Record<number, Story> = {
  11: 'lacks_in_register',
  15: 'charged_twice',
  19: 'late',
  23: 'refund_not_shown',
}
/** Refunds that the register shows. */
const REFUNDED = [5, 26]

export function planMonth(
  partnerCode: string,
  { from, to }: Period,
  { hasDifferences }: { hasDifferences: boolean }
): PlannedOrder[] {
  const days = Math.round((to.getTime() - from.getTime()) / DAY_MS) - DAYS_WITHOUT_SALES
  return Array.from({ length: ORDERS_OF_A_MONTH }, (_, n) => {
    const day = Math.floor((n * days) / ORDERS_OF_A_MONTH)
    const hour = 10 + ((n * 7) % 11)
    const minute = (n * 13) % 60
    return {
      reference: `${partnerCode}-${monthOf(from)}-${String(n + 1).padStart(3, '0')}`,
      story: storyOf(n, hasDifferences),
      placedAt: new Date(from.getTime() + day * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS),
      seats: 1 + (n % 3),
    }
  })
}

function storyOf(n: number, hasDifferences: boolean): Story {
  if (REFUNDED.includes(n)) return 'refunded'
  return (hasDifferences && DIFFERENCES[n]) || 'plain'
}

/** `2026-10`, by the venues' calendar: a month begins at their midnight, which in UTC is a day earlier. */
export const monthOf = (from: Date) => new Date(from.getTime() + DAY_MS).toISOString().slice(0, 7)
