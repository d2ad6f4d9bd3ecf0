import type { OrderFilters, OrderLine } from '#back_office/orders/orders_props'
import { PAGE_SIZE, readTimeCursor, listPage, timeCursor, type ListPage } from '#staff_area/lists'
import { findOrderIds } from '#back_office/orders/search_orders'
import { orderStatus } from '#sales/order_status'
import db from '@adonisjs/lucid/services/db'

/** Orders, the newest first; `q` leaves those that it finds, the newest `most` where many buyers share what it says. */
export async function listOrders(
  filters: OrderFilters,
  size = PAGE_SIZE,
  most?: number
): Promise<ListPage<OrderLine>> {
  const { query } = await buildOrdersQuery(filters, size, most)
  const rows = (await query) as (Omit<OrderLine, 'createdAt'> & { createdAt: Date })[]
  const lines = rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
  return listPage(lines, ({ createdAt, id }) => timeCursor(createdAt, id), filters.before, size)
}

/** Wrapped in an object, because `await` would run a bare query. */
export async function buildOrdersQuery(filters: OrderFilters, size = PAGE_SIZE, most?: number) {
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
    .orderBy([
      { column: 'o.created_at', order: 'desc' },
      { column: 'o.id', order: 'desc' },
    ])
    .limit(size + 1)
  if (filters.q) query.whereIn('o.id', await findOrderIds(filters.q, most))
  if (filters.event) query.where('o.event_id', filters.event)
  // Not by the joined code: PostgreSQL would read all orders by time until it had found enough of the partner.
  if (filters.partner)
    query.whereRaw('o.partner_id = (SELECT id FROM partners WHERE code = :partner)', {
      partner: filters.partner,
    })
  if (filters.status) whereStatus(query, filters.status)
  const cursor = readTimeCursor(filters.before)
  if (cursor) query.whereRaw('(o.created_at, o.id) < (CAST(:at AS timestamptz), :id)', cursor)
  return { query }
}

/**
 * A literal instead of a parameter, so that the partial index of the rarer statuses is used. An order that has just expired
 * is found as expired after the sweep has stored that.
 */
function whereStatus(query: OrdersQuery, status: string) {
  if (status === 'pending')
    query.whereRaw(`o.stored_status = 'pending' AND o.window_ends_at > now()`)
  else if (STORED.includes(status)) query.whereRaw(`o.stored_status = '${status}'`)
}

type OrdersQuery = Awaited<ReturnType<typeof buildOrdersQuery>>['query']

const STORED = ['paid', 'expired', 'cancelled', 'refunded', 'partially_refunded']
