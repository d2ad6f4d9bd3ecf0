import { orderConditions, type Condition } from '#back_office/orders/order_conditions'
import { MOST_COUNTED, type OrderFilters, type OrdersTotal } from '#back_office/orders/orders_props'
import { MOST_FOUND } from '#back_office/orders/search_orders'
import { readRows } from '#shared/statement'

/** Orders of one event or partner that are looked through for those that the other filters leave. */
const LOOKED_AT = 30_000

/**
 * Counts the orders of a list and sums up their totals.
 *
 *     312 of an event                          →  312 orders, 4,212,000 tenge
 *     2,000,000 of a partner                   →  10,000 orders, no sum
 *     refunded ones of it: 40 of 30,000 so far →  40 orders, no sum
 *
 * The first condition has an index and is read up to a limit, in no order; the others are checked row by row.
 */
export async function countOrders(
  filters: OrderFilters,
  ids: string[] | null,
  most = MOST_COUNTED,
  lookedAt = LOOKED_AT
): Promise<OrdersTotal> {
  const [indexed = ALL, ...others] = orderConditions(filters, ids)
  const checked = others.length > 0 ? others : [ALL]
  const rowLimit = others.length > 0 ? lookedAt : most
  const sql = `
    SELECT count(*)::int AS "lookedAt", (count(*) FILTER (WHERE ${allOf(checked)}))::int AS orders,
           (coalesce(sum(o.total_tenge) FILTER (WHERE ${allOf(checked)}), 0))::float8 AS "totalTenge"
      FROM (SELECT * FROM orders o WHERE ${indexed.sql} LIMIT ${rowLimit + 1}) o`
  const [found] = await readRows<OrdersTotal & { lookedAt: number }>(
    sql,
    paramsOf([indexed, ...checked])
  )
  // A search ends with so many: there may be more.
  const isCut = ids !== null && ids.length >= MOST_FOUND
  const isWhole = found.lookedAt <= rowLimit && found.orders <= most && !isCut
  return isWhole
    ? { orders: found.orders, totalTenge: found.totalTenge }
    : { orders: Math.min(found.orders, most), totalTenge: null }
}

const ALL: Condition = { sql: 'true', params: {} }
const allOf = (conditions: Condition[]) => conditions.map(({ sql }) => sql).join(' AND ')
const paramsOf = (conditions: Condition[]) =>
  Object.assign({}, ...conditions.map(({ params }) => params)) as Record<string, unknown>
