import { isInScope, isVoid, TITLE } from '#workbooks/sheets/scope_sql'
import { column, GREY_FILL, RED_FILL, type DataSheet } from '#workbooks/sheets/sheet'

/** One row per ticket of the orders with movements. LEFT JOIN, so that PostgreSQL can drop the joins from totals. */
export const tickets: DataSheet = {
  key: 'tickets',
  rowKey: 'ticketId',
  frozenColumns: 2,
  printedColumns: 14,
  columns: [
    column('no', 'count', 10, { name: 'tkt_no' }),
    column('ticketNumber', 'id', 20, { api: 'tickets[].number' }),
    column('orderId', 'id', 18, { api: 'order_id' }),
    column('partnerOrderId', 'id', 28, { api: 'partner_order_id' }),
    column('eventTitle', 'text', 30, { api: 'title', isTranslated: true }),
    column('sector', 'text', 16, { isTranslated: true }),
    column('row', 'text', 8),
    column('seat', 'text', 9),
    column('category', 'text', 13, { api: 'category_code' }),
    column('status', 'text', 12, { api: 'tickets[].status', isMutable: true }),
    column('price', 'tenge', 12, { api: 'price_tenge' }),
    column('sold', 'tenge', 13, { name: 'tkt_sold' }),
    column('returned', 'tenge', 13, { name: 'tkt_returned', redNegative: true }),
    column('cause', 'text', 18, { isMutable: true }),
    column('voidedAt', 'moment', 19, { isMutable: true }),
    column('usedAt', 'moment', 19, { isMutable: true }),
    column('gate', 'text', 16, { isMutable: true }),
    column('ticketId', 'id', 33, { api: 'tickets[].ticket_id' }),
  ],
  conditionalFills: () => [
    { when: 'AND({status}="void",LEN({usedAt})>0)', fill: RED_FILL, columns: ['usedAt'] },
    { when: '{status}="void"', fill: GREY_FILL, columns: ['status', 'cause'] },
  ],
  sql: `
    SELECT row_number() OVER (ORDER BY t.number COLLATE "C")::integer AS no, t.number AS "ticketNumber", t.id AS "ticketId",
           t.order_id AS "orderId", o.partner_order_id AS "partnerOrderId", ${TITLE} AS "eventTitle",
           coalesce(sector.name ->> scope.lang, sector.name ->> 'ru') AS sector, line.label AS row, seat.label AS seat,
           seat.category_code AS category,
           CASE WHEN t.voided_at < scope.period_to THEN 'void' WHEN t.used_at < scope.period_to THEN 'used' ELSE 'active' END AS status,
           t.price_tenge::bigint AS price, CASE WHEN p.sold > 0 THEN t.price_tenge ELSE 0 END::bigint AS sold,
           coalesce(back.amount_tenge, 0) AS returned, t.used_at AS "usedAt", t.used_gate AS gate, t.voided_at AS "voidedAt",
           t.void_cause AS cause
      FROM scope CROSS JOIN per_order p
      JOIN tickets t ON t.order_id = p.order_id
      LEFT JOIN orders o ON o.id = t.order_id
      LEFT JOIN events e ON e.id = t.event_id
      LEFT JOIN event_seats seat ON seat.id = t.event_seat_id
      LEFT JOIN sectors sector ON sector.id = seat.sector_id
      LEFT JOIN hall_rows line ON line.id = seat.row_id
      LEFT JOIN LATERAL (SELECT * FROM ledger_movements WHERE source = t.id OFFSET 0) back
        ON ${isVoid('back.kind')} AND ${isInScope('back')}`,
}
