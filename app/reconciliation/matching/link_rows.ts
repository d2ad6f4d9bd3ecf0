import { linkByIds } from '#reconciliation/matching/link_by_ids'
import { RepairedIds } from '#reconciliation/matching/link_by_repair'
import { MistypedIds } from '#reconciliation/matching/link_by_typing_error'
import { OrdersBySum, type LikenessOptions } from '#reconciliation/matching/link_by_sum'
import { latePayments } from '#reconciliation/matching/late_payments'
import type { ConfirmEvidence, OurOrder } from '#reconciliation/matching/match_case'
import type { OurOrders } from '#reconciliation/matching/our_orders'
import { allUnknown, listsOf, unlinked, type RowLink } from '#reconciliation/matching/row_link'
import { voidsWithoutRefund } from '#reconciliation/matching/voids_without_refund'
import { isPlaceholder } from '#defects/facts/placeholder_ids'
import type { MatchRow } from '#reconciliation/matching/match_row'
import { lostDigitsOf } from '#register_reading/read_id'

export interface LinkOptions extends LikenessOptions {
  /** The source numbers payments in its own way: no id of a payment is one of ours. */
  hasOwnPaymentIds: boolean
  attempts: readonly ConfirmEvidence[]
}

/**
 * Links rows with orders, in four steps. Each step has the rows that the steps before it have left, and prefers orders that
 * they have left.
 *
 *   1. identifiers as they were sent
 *   2. identifiers that a spreadsheet, a keyboard or a person has damaged: suggestions
 *   3. order numbers with one mistyped character: suggestions
 *   4. equal amount at the same time: suggestions. A payment id that many of our orders have is as good as none there.
 *      A refund is linked by the time of the void, or of a payment that came too late
 *
 * Payment ids of the source's own lead to other rows of the register alone.
 */
export function linkRows(
  rows: readonly MatchRow[],
  ours: OurOrders,
  options: LinkOptions
): LinkedRows {
  const linked = new LinkedRows(rows, ours, options.hasOwnPaymentIds)
  linked.linkRest((row) => linkByIds(row, ours))

  const repaired = new RepairedIds(linked.rest(), ours, linked.ordersWithRoom(), options)
  linked.linkRest((row) => repaired.link(row))

  const mistyped = new MistypedIds(linked.rest(), linked.ordersWithoutSales())
  linked.linkRest((row) => mistyped.link(row))

  const free = {
    paid: linked.ordersWithoutSales(),
    voided: voidsWithoutRefund(linked.links, ours),
    late: latePayments(rows, linked.links, ours, options.attempts),
  }
  const bySum = new OrdersBySum(free, options)
  linked.linkRest((row, sent) =>
    // By a number of its source's own a refund is linked below, with the other rows of that payment.
    bySum.link(withoutMeaninglessPayment(row.kind === 'refund' ? sent : row, ours))
  )

  if (options.hasOwnPaymentIds) linked.linkRestByPayment()
  linked.linkRest((row) => unlinked(withoutMeaninglessPayment(row, ours)))
  return linked
}

/** A partner that sends one id for every payment names none of them. */
const withoutMeaninglessPayment = (row: MatchRow, ours: OurOrders): MatchRow =>
  row.paymentId !== null && ours.isMeaningless(row.paymentId) ? { ...row, paymentId: null } : row

/** No dummy text, and no number that a spreadsheet has rounded. */
const namesPayment = ({ paymentId }: MatchRow) =>
  paymentId !== null && !isPlaceholder(paymentId) && lostDigitsOf(paymentId) === null

const isSameList = (one: readonly OurOrder[], other: readonly OurOrder[]) =>
  one === other || (one.length === 1 && other.length === 1 && one[0] === other[0])

type FindLink = (row: MatchRow, sent: MatchRow) => RowLink | null

/** Rows with their links so far, and what these have left. */
class LinkedRows {
  /** In the order of the rows; null for a row that is not linked yet. */
  #links: (RowLink | null)[]

  constructor(
    private readonly rows: readonly MatchRow[],
    private readonly ours: OurOrders,
    private readonly hasOwnPaymentIds: boolean
  ) {
    this.#links = rows.map(() => null)
  }

  /**
   * `find` gets each row that is left without a payment id of the source's own, and as it was sent. It may leave out further ids: the
   * link has the row as it was sent.
   */
  linkRest(find: FindLink) {
    this.#links = this.#links.map((link, n) => link ?? this.#linkOf(this.rows[n], find))
  }

  /** A row that is left is of the orders that the other rows of its payment were linked with, where those agree. */
  linkRestByPayment() {
    const linked = this.links.filter(({ orders, row }) => orders.length > 0 && namesPayment(row))
    const ofPayment = Map.groupBy(linked, ({ row }) => row.paymentId)
    this.linkRest((_, sent) => {
      const [one, ...others] = ofPayment.get(sent.paymentId) ?? []
      const isAgreed = one && others.every(({ orders }) => isSameList(orders, one.orders))
      return isAgreed ? { ...one, row: sent, unknownIds: allUnknown(sent) } : null
    })
  }

  rest = () =>
    this.rows.filter((_, n) => this.#links[n] === null).map((row) => this.#withoutOwnPayment(row))

  #linkOf(sent: MatchRow, find: FindLink): RowLink | null {
    const link = find(this.#withoutOwnPayment(sent), sent)
    if (!link || link.row === sent) return link
    // No order of ours has the source's own id: it leads to other rows alone.
    const paymentId = this.hasOwnPaymentIds ? sent.paymentId : link.unknownIds.paymentId
    return { ...link, row: sent, unknownIds: { ...link.unknownIds, paymentId } }
  }

  #withoutOwnPayment = (row: MatchRow): MatchRow =>
    this.hasOwnPaymentIds ? { ...row, paymentId: null } : row

  get links() {
    return this.#links.filter((link) => link !== null)
  }

  /** Paid orders that cost more than the rows that are linked with them. */
  ordersWithRoom(): OurOrder[] {
    const shown = new Map<OurOrder, bigint>()
    for (const { row, orders } of this.links) {
      if (row.kind === 'refund' || row.amountTenge === null) continue
      for (const order of orders) shown.set(order, (shown.get(order) ?? 0n) + row.amountTenge)
    }
    return this.ours.confirmed.filter((order) => (shown.get(order) ?? 0n) < order.totalTenge)
  }

  /** Paid orders that no row is linked with. */
  ordersWithoutRows = () => this.#ordersWithout(this.links)

  /** Paid orders that no sale is linked with; a refund may be. */
  ordersWithoutSales = () =>
    this.#ordersWithout(this.links.filter(({ row }) => row.kind === 'sale'))

  #ordersWithout(links: readonly RowLink[]): OurOrder[] {
    const linked = new Set<OurOrder>()
    for (const orders of listsOf(links)) for (const order of orders) linked.add(order)
    return this.ours.confirmed.filter((order) => !linked.has(order))
  }
}
