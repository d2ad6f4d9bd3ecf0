import { isVoid, TITLE } from '#workbooks/sheets/scope_sql'
import {
  AMBER_FILL,
  GREY_FILL,
  changeableColumn,
  fixedColumn,
  rowNumber,
  translatedColumn,
  wordsColumn,
  type DataSheet,
} from '#workbooks/sheets/sheet'

/** Sales and returns by event. */
export const events: DataSheet = {
  key: 'events',
  rowKey: 'eventId',
  hashed: 'fixed',
  partSum: 'payable',
  paneColumns: 2,
  printedColumns: 14,
  columns: [
    rowNumber('evt_no', 'changeable'),
    translatedColumn('eventTitle', 'text', 40, { api: 'title', wrap: true }),
    changeableColumn('eventDate', 'moment', 19, { api: 'starts_at' }),
    wordsColumn('eventStatusName', 'eventStatus', 15, ({ eventStatuses }) => eventStatuses),
    fixedColumn('ordersSold', 'count', 11),
    fixedColumn('ticketsSold', 'count', 11),
    fixedColumn('ticketsReturned', 'count', 13),
    fixedColumn('sold', 'tenge', 14),
    fixedColumn('returned', 'tenge', 14, { redNegative: true }),
    fixedColumn('net', 'tenge', 14),
    fixedColumn('commission', 'tenge', 14, { redNegative: true }),
    fixedColumn('vat', 'tenge', 13, { redNegative: true }),
    fixedColumn('payable', 'tenge', 15, {
      definedName: 'evt_payable',
      isSummed: true,
      redNegative: true,
    }),
    changeableColumn('defects', 'count', 11),
    fixedColumn('eventId', 'id', 33, { api: 'event_id' }),
    fixedColumn('eventStatus', 'text', 15, { api: 'status' }),
  ],
  conditionalFills: () => [
    { when: '{eventStatus}="cancelled"', fill: AMBER_FILL, columns: ['eventStatusName'] },
    { when: '{defects}>0', fill: AMBER_FILL, columns: ['defects'] },
    { when: '{sold}=0', fill: GREY_FILL, columns: ['ordersSold', 'ticketsSold', 'sold'] },
  ],
  sql: `
    SELECT row_number() OVER (ORDER BY e.starts_at, e.id)::integer AS no, ${TITLE} AS "eventTitle", e.id AS "eventId",
           e.starts_at AS "eventDate", CASE WHEN e.cancelled_at < scope.period_to THEN 'cancelled' END AS "eventStatus",
           p.*, coalesce(d.defects, 0) AS defects
      FROM scope CROSS JOIN (
        SELECT event_id, count(*) FILTER (WHERE kind = 'sale')::integer AS "ordersSold",
               coalesce(sum(tickets) FILTER (WHERE kind = 'sale'), 0)::integer AS "ticketsSold",
               coalesce(sum(tickets) FILTER (WHERE kind <> 'sale'), 0)::integer AS "ticketsReturned",
               coalesce(sum(amount_tenge) FILTER (WHERE kind = 'sale'), 0)::bigint AS sold,
               coalesce(sum(amount_tenge) FILTER (WHERE ${isVoid('kind')}), 0)::bigint AS returned,
               coalesce(sum(amount_tenge) FILTER (WHERE kind = 'sale' OR ${isVoid('kind')}), 0)::bigint AS net,
               coalesce(sum(amount_tenge) FILTER (WHERE kind IN ('commission', 'commission_reversal')), 0)::bigint AS commission,
               coalesce(sum(amount_tenge) FILTER (WHERE kind IN ('vat', 'vat_reversal')), 0)::bigint AS vat,
               sum(amount_tenge)::bigint AS payable
          FROM scope_movements WHERE order_id IS NOT NULL GROUP BY event_id) p
      JOIN events e ON e.id = p.event_id
      LEFT JOIN (SELECT o.event_id, count(*)::integer AS defects FROM scope_defects d JOIN orders o ON o.id = d.order_id
                  GROUP BY o.event_id) d ON d.event_id = e.id`,
}
