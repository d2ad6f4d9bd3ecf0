import { orderConditions, type Condition } from '#back_office/orders/order_conditions'
import { MOST_COUNTED, type OrderFilters, type OrdersTotal } from '#back_office/orders/orders_props'
import { MOST_FOUND } from '#back_office/orders/search_orders'
import { readRows } from '#shared/statement'

/** Orders of one event or partner that are looked through for those that the other filters leave. */
const LOOKED_AT = 30_000

/**
 * Counts the orders of a list and sums up their totals.
 *
 *     312 of an event             →  312 orders, 4,212,000 tenge
 *     2,000,000 of a partner      →  10,000 orders, no sum
 *     refunded ones of it, 40 of  →  40 orders, no sum
 *     the 30,000 looked at
 */
export async function countOrders(
  filters: OrderFilters,
  ids: string[] | null,
  most = MOST_COUNTED,
  lookedAt = LOOKED_AT
): Promise<OrdersTotal> {
  const [first = ALL, ...others] = orderConditions(filters, ids)
  const rest = others.length > 0 ? others : [ALL]
  const width = others.length > 0 ? lookedAt : most
  const sql = `
    SELECT count(*)::int AS "lookedAt", (count(*) FILTER (WHERE ${allOf(rest)}))::int AS orders,
           (coalesce(sum(o.total_tenge) FILTER (WHERE ${allOf(rest)}), 0))::float8 AS "totalTenge"
      FROM (SELECT * FROM orders o WHERE ${first.sql} LIMIT ${width + 1}) o`
  const [found] = await readRows<OrdersTotal & { lookedAt: number }>(
    sql,
    paramsOf([first, ...rest])
  )
  // A search ends with so many: there may be more.
  const isCut = ids !== null && ids.length >= MOST_FOUND
  const isWhole = found.lookedAt <= width && found.orders <= most && !isCut
  return isWhole
    ? { orders: found.orders, totalTenge: found.totalTenge }
    : { orders: Math.min(found.orders, most), totalTenge: null }
}

const ALL: Condition = { sql: 'true', params: {} }
const allOf = (conditions: Condition[]) => conditions.map(({ sql }) => sql).join(' AND ')
const paramsOf = (conditions: Condition[]) =>
  Object.assign({}, ...conditions.map(({ params }) => params)) as Record<string, unknown>
