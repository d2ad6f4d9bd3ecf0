import { isVoid, paddedNumber, statementOfSale, TITLE } from '#workbooks/sheets/scope_sql'
import {
  AMBER_FILL,
  GREY_FILL,
  RED_FILL,
  changeableColumn,
  fixedColumn,
  rowNumber,
  translatedColumn,
  wordsColumn,
  type DataSheet,
} from '#workbooks/sheets/sheet'

/** One row per ticket whose price was returned, with the reason and the role. */
export const returns: DataSheet = {
  key: 'returns',
  rowKey: 'ticketNumber',
  hashed: 'fixed',
  partSum: 'amount',
  paneColumns: 2,
  printedColumns: 12,
  columns: [
    rowNumber('ret_no', 'fixed'),
    fixedColumn('ticketNumber', 'id', 20, { api: 'tickets[].number' }),
    fixedColumn('orderId', 'id', 18, { api: 'order_id' }),
    fixedColumn('partnerOrderId', 'id', 28, { api: 'partner_order_id' }),
    translatedColumn('eventTitle', 'text', 28, { api: 'title' }),
    wordsColumn('kindName', 'kind', 26, ({ kinds }) => kinds),
    fixedColumn('voidedAt', 'moment', 19),
    wordsColumn('voidedByName', 'voidedBy', 15, ({ doers }) => doers),
    fixedColumn('reason', 'text', 32, { api: 'reason', wrap: true }),
    fixedColumn('amount', 'tenge', 14, {
      definedName: 'ret_amount',
      isSummed: true,
      redNegative: true,
    }),
    fixedColumn('commissionBack', 'tenge', 13),
    fixedColumn('vatBack', 'tenge', 12),
    fixedColumn('soldAt', 'moment', 19),
    fixedColumn('originStatement', 'id', 14),
    fixedColumn('paymentId', 'id', 28, { api: 'payment_info.external_payment_id' }),
    changeableColumn('usedAt', 'moment', 19),
    fixedColumn('kind', 'text', 16),
    fixedColumn('voidedBy', 'text', 13),
  ],
  conditionalFills: () => [
    { when: 'LEN({usedAt})>0', fill: RED_FILL, columns: ['usedAt'] },
    { when: '{kind}="EVENT_CANCEL"', fill: AMBER_FILL, columns: ['kindName'] },
    { when: 'LEN({originStatement})>0', fill: GREY_FILL, columns: ['originStatement'] },
  ],
  sql: `
    SELECT row_number() OVER (ORDER BY m.no)::integer AS no, t.number AS "ticketNumber", o.id AS "orderId",
           o.partner_order_id AS "partnerOrderId", o.payment_external_id AS "paymentId", ${TITLE} AS "eventTitle",
           upper(m.kind) AS kind, t.voided_at AS "voidedAt", CASE WHEN t.voided_by LIKE 'partner:%' THEN 'PARTNER' ELSE 'PLATFORM' END AS "voidedBy", t.void_reason AS reason,
           m.amount_tenge AS amount, coalesce(fee.amount_tenge, 0) AS "commissionBack", coalesce(tax.amount_tenge, 0) AS "vatBack",
           o.confirmed_at AS "soldAt", ${paddedNumber('SET', 'settled.number')} AS "originStatement", t.used_at AS "usedAt"
      FROM scope CROSS JOIN scope_movements m
      JOIN tickets t ON t.id = m.source
      JOIN orders o ON o.id = m.order_id
      JOIN events e ON e.id = o.event_id
      LEFT JOIN ledger_movements fee ON fee.source = t.id AND fee.kind = 'commission_reversal'
      LEFT JOIN ledger_movements tax ON tax.source = t.id AND tax.kind = 'vat_reversal'
      LEFT JOIN ${statementOfSale('o.id')} ON true
     WHERE ${isVoid('m.kind')}`,
}
