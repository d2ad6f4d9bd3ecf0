import { isSuggestion, type OurOrder } from '#reconciliation/matching/match_case'
import { byOrderId, MOST_CANDIDATES } from '#reconciliation/matching/our_orders'
import { listsOf, type RowLink } from '#reconciliation/matching/row_link'
import { isPlaceholder } from '#defects/facts/placeholder_ids'
import { DisjointSets } from '#shared/disjoint_sets'
import { foldId, lostDigitsOf } from '#register_reading/read_id'

/** Rows and orders that any identifier joins, directly or through others. */
export interface MatchComponent {
  links: RowLink[]
  orders: readonly OurOrder[]
}

/**
 * Connected components of rows and orders, by union–find. The order of rows does not matter. They are made one after another:
 * all of them at once would need as much memory as the rows.
 *
 * Example:
 *   line 2: order P-1, payment A
 *   line 3: order P-1, payment B     joined with line 2 by P-1
 *   line 4: order P-9, payment B     joined with line 3 by B, although nobody knows P-9
 *   line 5: order P-2, payment test  alone: "test" is no payment
 */
export function componentsOf(links: readonly RowLink[]): IteratorObject<MatchComponent> {
  const union = new DisjointSets<Joining>()
  const isUnique = uniqueIds(links)
  for (const link of links) {
    const [first, ...others] = joinedBy(link, isUnique)
    for (const other of others) union.join(first, other)
  }
  for (const orders of listsOf(links)) for (const order of orders) union.join(orders[0], order)
  return eachOf(Map.groupBy(links, (link) => union.rootOf(joinedBy(link, isUnique)[0])))
}

/** A group is deleted when it is given away: the memory of its links is free for cases. */
function* eachOf(groups: Map<Joining, RowLink[]>): Generator<MatchComponent> {
  for (const [root, links] of groups) {
    groups.delete(root)
    yield { links, orders: ordersOf(links) }
  }
}

/** What rows have in common: an order, or an identifier that leads to none. A row that names nothing has only itself. */
type Joining = OurOrder | string | RowLink

function joinedBy(link: RowLink, isUnique: (id: string) => boolean): Joining[] {
  const { orders, meantOrders, unknownIds, step } = link
  const joined: Joining[] = orders.slice(0, 1)
  // A person may reject a suggestion: it joins other rows by its orders alone, or by its ids where it has none.
  if (!isSuggestion(step)) joined.push(...meantOrders)
  if (orders.length === 0 || !isSuggestion(step)) {
    for (const name of unknownIds.names) if (isUnique(name)) joined.push(`name ${foldId(name)}`)
    if (unknownIds.paymentId !== null && isUnique(unknownIds.paymentId))
      joined.push(`payment ${unknownIds.paymentId}`)
  }
  return joined.length > 0 ? joined : [link]
}

function ordersOf(links: readonly RowLink[]): readonly OurOrder[] {
  if (links.length === 1 && links[0].orders.length <= 1) return links[0].orders
  const orders = new Set([...listsOf(links)].flat())
  return [...orders].sort(byOrderId)
}

/**
 * Whether an unknown id is that of one order or payment: no dummy text, whole (a spreadsheet makes different ids one when it rounds
 * them), and not next to more different ids than an order or a payment can have.
 */
function uniqueIds(links: readonly RowLink[]) {
  const nextTo = new Map<string, Set<string>>()
  const note = (id: string | null, other: string) => {
    if (id === null) return
    const known = nextTo.get(id) ?? new Set()
    nextTo.set(id, known)
    if (known.size <= MOST_CANDIDATES) known.add(other)
  }
  for (const { row, unknownIds } of links) {
    for (const name of unknownIds.names) note(name, row.paymentId ?? '')
    note(unknownIds.paymentId, row.orderKey ?? row.orderId ?? `line ${row.line}`)
  }
  return (id: string) =>
    !isPlaceholder(id) && lostDigitsOf(id) === null && nextTo.get(id)!.size <= MOST_CANDIDATES
}
