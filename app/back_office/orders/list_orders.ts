import { countOrders } from '#back_office/orders/count_orders'
import { orderConditions } from '#back_office/orders/order_conditions'
import type {
  OrderFilters,
  OrderLine,
  OrdersTotal,
  SortedOrders,
} from '#back_office/orders/orders_props'
import { findOrderIds } from '#back_office/orders/search_orders'
import { orderStatus } from '#sales/order_status'
import { PAGE_SIZE, listPage, type ListPage } from '#staff_area/lists'
import db from '@adonisjs/lucid/services/db'

interface Sorting {
  /** Of `orders o`; the last one is its id, so that no two orders have the same place. */
  columns: string[]
  direction: 'ASC' | 'DESC'
}

const BY_TIME = ['created_at', 'id']
const BY_TOTAL = ['total_tenge', 'created_at', 'id']
const NEWEST: Sorting = { columns: BY_TIME, direction: 'DESC' }
const SORTINGS: Record<string, Sorting> = {
  oldest: { columns: BY_TIME, direction: 'ASC' },
  highest: { columns: BY_TOTAL, direction: 'DESC' },
  lowest: { columns: BY_TOTAL, direction: 'ASC' },
}
const sortingOf = ({ sort }: OrderFilters) => SORTINGS[sort ?? ''] ?? NEWEST

/** Orders by the filters; `q` leaves those that it finds, the newest `most` where many buyers share what it says. */
export async function listOrders(filters: OrderFilters, size = PAGE_SIZE, most?: number) {
  return listFoundOrders(filters, await searchFor(filters, most), size)
}

/**
 * A page of orders, and what they are sorted by: by total only where all can be counted, because no index has them so; otherwise the
 * newest come first.
 */
export async function readOrders(
  filters: OrderFilters,
  size = PAGE_SIZE,
  mostCounted?: number
): Promise<SortedOrders> {
  const ids = await searchFor(filters)
  const sort = (await isSortable(filters, ids, mostCounted)) ? filters.sort : null
  return { ...(await listFoundOrders({ ...filters, sort }, ids, size)), sort }
}

async function isSortable(filters: OrderFilters, ids: string[] | null, mostCounted?: number) {
  if (sortingOf(filters).columns !== BY_TOTAL) return true
  const { totalTenge } = await countOrders(filters, ids, mostCounted)
  return totalTenge !== null
}

/** How many orders the filters find, and the sum of their totals. */
export async function readOrdersTotal(filters: OrderFilters): Promise<OrdersTotal> {
  return countOrders(filters, await searchFor(filters))
}

const searchFor = async ({ q }: OrderFilters, most?: number) => (q ? findOrderIds(q, most) : null)

async function listFoundOrders(
  filters: OrderFilters,
  ids: string[] | null,
  size: number
): Promise<ListPage<OrderLine>> {
  const { query } = buildOrdersQuery(filters, ids, size)
  const rows = (await query) as (Omit<OrderLine, 'createdAt'> & { createdAt: Date })[]
  const lines = rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
  return listPage(lines, ({ id }) => id, readCursor(filters), size)
}

/** Wrapped in an object, because `await` would run a bare query. */
export function buildOrdersQuery(
  filters: OrderFilters,
  ids: string[] | null = null,
  size = PAGE_SIZE
) {
  const { columns, direction } = sortingOf(filters)
  const query = db
    .from('orders as o')
    .join('partners as p', 'p.id', 'o.partner_id')
    .join('events as e', 'e.id', 'o.event_id')
    .select(
      'o.id',
      'o.created_at as createdAt',
      db.raw(`${orderStatus('now()')} AS status`),
      db.raw('o.total_tenge::float8 AS "totalTenge"'),
      db.raw('(SELECT count(*)::int FROM booking_seats WHERE booking_id = o.booking_id) AS seats'),
      'p.code as partner',
      'p.name as partnerName',
      'e.title as event',
      'e.id as eventId',
      db.raw(`o.customer ->> 'email' AS buyer`)
    )
    .orderByRaw(columns.map((column) => `o.${column} ${direction}`).join(', '))
    .limit(size + 1)
  for (const { sql, params } of orderConditions(filters, ids)) query.whereRaw(sql, params as never)
  const before = readCursor(filters)
  // Its time is read here: JavaScript knows no microseconds, and would lose orders of the same millisecond.
  if (before)
    query.whereRaw(
      `(${columns.map((column) => `o.${column}`).join(', ')}) ${direction === 'ASC' ? '>' : '<'}
       (SELECT ${columns.join(', ')} FROM orders WHERE id = :before)`,
      { before }
    )
  return { query }
}

/** The number of the last order of the page before; null for a malformed cursor, which shows the first page. */
const readCursor = ({ before }: OrderFilters) =>
  before && /^[A-Z][\w-]*$/.test(before) ? before : null
