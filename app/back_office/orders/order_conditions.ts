import type { OrderFilters } from '#back_office/orders/orders_props'

/** A condition of SQL about `orders o`, with the values of its parameters. */
export interface Condition {
  sql: string
  params: Record<string, unknown>
}

/**
 * The conditions of the filters; the first one has an index that reads the fewest orders. `ids`: those that a search has found.
 *
 *     partner=kassa, status=refunded  →  partner_id = …, stored_status = 'refunded'
 */
export function orderConditions(
  { partner, event, status }: OrderFilters,
  ids: string[] | null
): Condition[] {
  const conditions: Condition[] = []
  if (ids) conditions.push({ sql: 'o.id = ANY (CAST(:ids AS text[]))', params: { ids } })
  if (event) conditions.push({ sql: 'o.event_id = :event', params: { event } })
  // Not by a joined code: PostgreSQL would read all orders by time until it had found enough of the partner.
  if (partner)
    conditions.push({
      sql: 'o.partner_id = (SELECT id FROM partners WHERE code = :partner)',
      params: { partner },
    })
  const ofStatus = statusCondition(status)
  if (ofStatus) conditions.push({ sql: ofStatus, params: {} })
  return conditions
}

const STORED = ['paid', 'expired', 'cancelled', 'refunded', 'partially_refunded']

/**
 * A literal instead of a parameter, so that the partial index of the rarer statuses is used. An order that has just expired
 * is found as expired after the sweep has stored that.
 */
function statusCondition(status: string | null) {
  if (status === 'pending') return `o.stored_status = 'pending' AND o.window_ends_at > now()`
  return status && STORED.includes(status) ? `o.stored_status = '${status}'` : null
}
