import { linkByIds } from '#reconciliation/matching/link_by_ids'
import { RepairedIds } from '#reconciliation/matching/link_by_repair'
import { OrdersBySum, type LikenessOptions } from '#reconciliation/matching/link_by_sum'
import type { OurOrder } from '#reconciliation/matching/match_case'
import type { OurOrders } from '#reconciliation/matching/our_orders'
import { unlinked, type RowLink } from '#reconciliation/matching/row_link'
import type { RegisterRow } from '#register_reading/parse_row'

/**
 * Links rows with orders, in three steps. Each step has the rows that the steps before it have left, and prefers orders that
 * they have left.
 *
 *   1. identifiers as they were sent
 *   2. identifiers that a spreadsheet, a keyboard or a person has damaged: suggestions
 *   3. equal amount at the same time: suggestions
 */
export function linkRows(
  rows: readonly RegisterRow[],
  ours: OurOrders,
  options: LikenessOptions
): RowLink[] {
  const links = new Map<RegisterRow, RowLink>()
  const keep = (link: RowLink | null) => link && links.set(link.row, link)
  const rest = () => rows.filter((row) => !links.has(row))

  for (const row of rows) keep(linkByIds(row, ours))

  const repaired = new RepairedIds(rest(), ours, ordersWithRoom(ours, links), options)
  for (const row of repaired.rows) keep(repaired.link(row))

  const bySum = new OrdersBySum(ordersWithoutRows(ours, links), options)
  for (const row of rest()) keep(bySum.link(row))

  return rows.map((row) => links.get(row) ?? unlinked(row))
}

type Links = ReadonlyMap<RegisterRow, RowLink>

/** Paid orders that cost more than the rows that are linked with them. */
function ordersWithRoom(ours: OurOrders, links: Links): OurOrder[] {
  const shown = new Map<OurOrder, bigint>()
  for (const { row, orders } of links.values()) {
    if (row.kind === 'refund' || row.amountTenge === null) continue
    for (const order of orders) shown.set(order, (shown.get(order) ?? 0n) + row.amountTenge)
  }
  return ours.confirmed.filter((order) => (shown.get(order) ?? 0n) < order.totalTenge)
}

function ordersWithoutRows(ours: OurOrders, links: Links): OurOrder[] {
  const linked = new Set<OurOrder>()
  for (const { orders } of links.values()) for (const order of orders) linked.add(order)
  return ours.confirmed.filter((order) => !linked.has(order))
}
