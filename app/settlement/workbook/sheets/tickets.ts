import { TITLE } from '#settlement/workbook/scope_sql'
import { column, type DataSheet } from '#settlement/workbook/sheet'

/** Every ticket of the orders whose money has moved here. */
export const tickets: DataSheet = {
  key: 'tickets',
  frozenColumns: 2,
  columns: [
    column('no', 'count', 10, { name: 'tkt_no' }),
    column('ticketNumber', 'id', 20, { api: 'tickets[].number' }),
    column('ticketId', 'id', 33, { api: 'tickets[].ticket_id' }),
    column('orderId', 'id', 20, { api: 'order_id' }),
    column('partnerOrderId', 'id', 28, { api: 'partner_order_id' }),
    column('eventTitle', 'text', 36, { api: 'title', isTranslated: true }),
    column('sector', 'text', 18, { isTranslated: true }),
    column('row', 'text', 8),
    column('seat', 'text', 8),
    column('category', 'text', 14, { api: 'category_code' }),
    column('status', 'text', 14, { api: 'tickets[].status' }),
    column('price', 'tenge', 14, { api: 'price_tenge' }),
    column('sold', 'tenge', 14, { name: 'tkt_sold' }),
    column('returned', 'tenge', 14, { name: 'tkt_returned', redNegative: true }),
    column('usedAt', 'moment', 20),
    column('gate', 'text', 16),
    column('voidedAt', 'moment', 20),
    column('cause', 'text', 18),
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
      JOIN orders o ON o.id = t.order_id
      JOIN events e ON e.id = t.event_id
      JOIN event_seats seat ON seat.id = t.event_seat_id
      JOIN sectors sector ON sector.id = seat.sector_id
      JOIN hall_rows line ON line.id = seat.row_id
      LEFT JOIN moved back ON back.source = t.id AND back.kind IN ('refund', 'event_cancel', 'platform_void')`,
  order: 'no',
}
