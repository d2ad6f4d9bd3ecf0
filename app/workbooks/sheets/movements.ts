import {
  defectCodesOf,
  memoOf,
  paddedNumber,
  paymentOf,
  statementOfSale,
  TITLE,
} from '#workbooks/sheets/scope_sql'
import {
  AMBER_FILL,
  changeableColumn,
  fixedColumn,
  rowNumber,
  translatedColumn,
  wordsColumn,
  type DataSheet,
} from '#workbooks/sheets/sheet'

/** One row per movement. */
export const movements: DataSheet = {
  key: 'movements',
  rowKey: 'no',
  hashed: 'fixed',
  partSum: 'amount',
  paneColumns: 2,
  printedColumns: 12,
  columns: [
    rowNumber('mov_no', 'fixed'),
    wordsColumn('kindName', 'kind', 30, ({ kinds }) => kinds),
    fixedColumn('effectiveAt', 'moment', 19),
    fixedColumn('orderId', 'id', 18, { api: 'order_id' }),
    fixedColumn('partnerOrderId', 'id', 28, { api: 'partner_order_id' }),
    translatedColumn('eventTitle', 'text', 34, { api: 'title' }),
    fixedColumn('tickets', 'count', 10, { definedName: 'mov_tickets' }),
    fixedColumn('amount', 'tenge', 15, {
      definedName: 'mov_amount',
      isSummed: true,
      redNegative: true,
    }),
    fixedColumn('rate', 'percent', 10),
    fixedColumn('originPeriod', 'id', 12),
    fixedColumn('isLate', 'flag', 11, { definedName: 'mov_late' }),
    wordsColumn('codesName', 'codes', 36, ({ defects }) => defects, { wrap: true }),
    fixedColumn('paymentId', 'id', 28, { api: 'payment_info.external_payment_id' }),
    fixedColumn('eventId', 'id', 33, { api: 'event_id' }),
    changeableColumn('eventDate', 'moment', 19, { api: 'starts_at' }),
    fixedColumn('originStatement', 'id', 14),
    fixedColumn('originLine', 'count', 10),
    fixedColumn('note', 'text', 60),
    fixedColumn('kind', 'text', 21, { definedName: 'mov_kind' }),
    changeableColumn('codes', 'text', 30),
  ],
  conditionalFills: () => [
    { when: '{isLate}=1', fill: AMBER_FILL, columns: ['effectiveAt', 'isLate'] },
    { when: 'LEN({codes})>0', fill: AMBER_FILL, columns: ['codesName'] },
  ],
  sql: `
    SELECT m.no, upper(m.kind) AS kind, m.effective_at AS "effectiveAt", m.order_id AS "orderId",
           o.partner_order_id AS "partnerOrderId", o.payment_external_id AS "paymentId", m.event_id AS "eventId",
           ${TITLE} AS "eventTitle", e.starts_at AS "eventDate", m.tickets, m.amount_tenge AS amount,
           m.rate_bp / 10000.0::float8 AS rate,
           CASE WHEN o.id IS NOT NULL THEN to_char(o.confirmed_at AT TIME ZONE INTERVAL '5 hours', 'YYYY-MM') END AS "originPeriod",
           ${paddedNumber('SET', 'settled.number')} AS "originStatement", settled.line AS "originLine",
           m.effective_at < scope.period_from AS "isLate", array_to_string(codes.codes, ' ') AS codes,
           coalesce(memo.reason, payment.bank_reference) AS note
      FROM scope CROSS JOIN scope_movements m
      LEFT JOIN orders o ON o.id = m.order_id
      LEFT JOIN events e ON e.id = m.event_id
      LEFT JOIN ${statementOfSale('m.order_id')} ON m.kind <> 'sale'
      LEFT JOIN ${defectCodesOf('m.order_id')} ON true
      LEFT JOIN ${memoOf('m')}
      LEFT JOIN ${paymentOf('m')}`,
}
