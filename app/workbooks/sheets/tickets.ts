import { isInScope, isVoid, TITLE } from '#workbooks/sheets/scope_sql'
import {
  GREY_FILL,
  RED_FILL,
  changeableColumn,
  fixedColumn,
  rowNumber,
  translatedColumn,
  wordsColumn,
  type DataSheet,
} from '#workbooks/sheets/sheet'

/** One row per ticket of the orders with movements. LEFT JOIN, so that PostgreSQL can drop the joins from totals. */
export const tickets: DataSheet = {
  key: 'tickets',
  rowKey: 'ticketId',
  hashed: 'fixed',
  partSum: 'sold',
  paneColumns: 2,
  printedColumns: 14,
  columns: [
    rowNumber('tkt_no', 'fixed'),
    fixedColumn('ticketNumber', 'id', 20, { api: 'tickets[].number' }),
    fixedColumn('orderId', 'id', 18, { api: 'order_id' }),
    fixedColumn('partnerOrderId', 'id', 28, { api: 'partner_order_id' }),
    translatedColumn('eventTitle', 'text', 30, { api: 'title' }),
    translatedColumn('sector', 'text', 16),
    fixedColumn('row', 'text', 8),
    fixedColumn('seat', 'text', 9),
    wordsColumn('categoryName', 'category', 15, ({ categories }) => categories),
    wordsColumn('statusName', 'status', 16, ({ ticketStatuses }) => ticketStatuses),
    fixedColumn('price', 'tenge', 12, { api: 'price_tenge' }),
    fixedColumn('sold', 'tenge', 13, { definedName: 'tkt_sold', isSummed: true }),
    fixedColumn('returned', 'tenge', 13, {
      definedName: 'tkt_returned',
      isSummed: true,
      redNegative: true,
    }),
    wordsColumn('causeName', 'cause', 22, ({ voidCauses }) => voidCauses),
    changeableColumn('voidedAt', 'moment', 19),
    changeableColumn('usedAt', 'moment', 19),
    changeableColumn('gate', 'text', 16),
    fixedColumn('ticketId', 'id', 33, { api: 'tickets[].ticket_id' }),
    fixedColumn('category', 'text', 13, { api: 'category_code' }),
    changeableColumn('status', 'text', 12, { api: 'tickets[].status' }),
    changeableColumn('cause', 'text', 18),
  ],
  conditionalFills: () => [
    { when: 'AND({status}="void",LEN({usedAt})>0)', fill: RED_FILL, columns: ['usedAt'] },
    { when: '{status}="void"', fill: GREY_FILL, columns: ['statusName', 'causeName'] },
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
