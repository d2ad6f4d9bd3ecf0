import type { MatchFilters, MatchLine } from '#finance/registers/registers_props'
import { PAGE_SIZE, listPage, type ListPage } from '#staff_area/lists'
import { MATCH_CATEGORIES } from '#reconciliation/matching/match_case'
import db from '@adonisjs/lucid/services/db'

/** Rows and orders shown per case; a payment for a thousand orders is not listed in full. */
const MOST_SHOWN = 12

const ROWS = `(SELECT coalesce(jsonb_agg(to_jsonb(w) ORDER BY w.line), '[]') FROM (
    SELECT r.line, r.order_key AS "orderKey", r.order_id AS "orderId", r.payment_id AS "paymentId",
           r.amount_tenge AS tenge, r.returned_tenge AS returned, r.at, r.kind, r.is_not_paid AS "isNotPaid",
           r.problems
      FROM partner_register_case_rows l JOIN partner_register_rows r USING (register_id, line)
     WHERE l.case_id = c.id ORDER BY r.line LIMIT ${MOST_SHOWN}) w)`
const ORDERS = `(SELECT coalesce(jsonb_agg(to_jsonb(w) ORDER BY w.id), '[]') FROM (
    SELECT o.id, o.partner_order_id AS key, o.payment_external_id AS "paymentId", s.total_tenge AS tenge,
           s.refunded_tenge AS "refundedTenge", s.status, coalesce(o.confirmed_at, o.created_at) AS at
      FROM partner_register_case_orders s JOIN orders o ON o.id = s.order_id
     WHERE s.case_id = c.id ORDER BY o.id LIMIT ${MOST_SHOWN}) w)`
const countOf = (table: string) =>
  `(SELECT count(*)::integer FROM ${table} l WHERE l.case_id = c.id)`

/** Cases of a register in the order of its lines; `me` is the email of the viewer. */
export async function listMatches(
  registerId: number,
  filters: MatchFilters,
  me: string,
  size = PAGE_SIZE
): Promise<ListPage<MatchLine>> {
  const query = db
    .from('partner_register_cases as c')
    .leftJoin('staff as s', 's.id', 'c.owner_id')
    .where('c.register_id', registerId)
    .select(
      'c.id',
      'c.version',
      'c.place',
      'c.category',
      'c.step',
      'c.why',
      'c.decision',
      'c.is_suggested as isSuggested',
      'c.meant_order_id as meantOrderId',
      'c.decided_by as decidedBy',
      's.full_name as owner',
      'c.note',
      db.raw(`c.due_on::text AS "dueOn", (c.sales_tenge - c.refunds_tenge)::float8 AS "rowsTenge",
              (c.total_tenge - c.refunded_tenge)::float8 AS "ordersTenge", ${ROWS} AS rows, ${ORDERS} AS orders,
              ${countOf('partner_register_case_rows')} AS "rowCount",
              ${countOf('partner_register_case_orders')} AS "orderCount"`)
    )
    .orderBy('c.place')
    .limit(size + 1)
  narrow(query, registerId, filters, me)
  const rows = (await query) as MatchLine[]
  return listPage(rows, ({ place }) => String(place - 1), filters.before, size)
}

type Query = ReturnType<typeof db.from>

function narrow(query: Query, registerId: number, filters: MatchFilters, me: string) {
  const { category, step, decision, owner, q, before } = filters
  if ((MATCH_CATEGORIES as readonly string[]).includes(category ?? ''))
    query.where('c.category', category!)
  if (step) query.where('c.step', step)
  if (decision === 'undecided') query.whereRaw('c.is_suggested AND c.decision IS NULL')
  else if (decision) query.where('c.decision', decision)
  if (owner === 'me') query.whereRaw('lower(s.email) = lower(:me)', { me })
  if (owner === 'none') query.whereNull('c.owner_id')
  if (q) search(query, registerId, q)
  // The cursor is the last place of the page before.
  if (/^\d{1,9}$/.test(before ?? '')) query.where('c.place', '>', Number(before))
}

/** Searches rows by exact order number, payment or line, also that of a part, and orders by exact id. */
function search(query: Query, registerId: number, q: string) {
  const line = /^\d{1,7}$/.test(q) ? Number(q) : 0
  query.whereRaw(
    `c.id IN (
       SELECT l.case_id FROM (
              SELECT line FROM partner_register_rows WHERE register_id = :registerId AND left(order_key, 64) = :q
              UNION SELECT line FROM partner_register_rows WHERE register_id = :registerId AND left(payment_id, 64) = :q
              UNION SELECT CAST(:line AS integer)
              UNION SELECT first_line - 1 + CAST(:line AS integer) FROM partner_register_parts WHERE register_id = :registerId) w
         JOIN partner_register_case_rows l ON l.register_id = :registerId AND l.line = w.line
       UNION SELECT o.case_id FROM partner_register_case_orders o
              WHERE o.register_id = :registerId AND o.order_id = :q)`,
    { registerId, q, line }
  )
}
