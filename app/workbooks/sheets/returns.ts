import { isVoid, paddedNumber, statementOfSale, TITLE } from '#workbooks/sheets/scope_sql'
import { AMBER_FILL, column, GREY_FILL, RED_FILL, type DataSheet } from '#workbooks/sheets/sheet'

/** One row per ticket whose price was returned, with the reason and the role. */
export const returns: DataSheet = {
  key: 'returns',
  rowKey: 'ticketNumber',
  frozenColumns: 2,
  printedColumns: 12,
  columns: [
    column('no', 'count', 10, { name: 'ret_no' }),
    column('ticketNumber', 'id', 20, { api: 'tickets[].number' }),
    column('orderId', 'id', 18, { api: 'order_id' }),
    column('partnerOrderId', 'id', 28, { api: 'partner_order_id' }),
    column('eventTitle', 'text', 28, { api: 'title', isTranslated: true }),
    column('kind', 'text', 16),
    column('voidedAt', 'moment', 19),
    column('voidedBy', 'text', 13),
    column('reason', 'text', 32, { api: 'reason', wrap: true }),
    column('amount', 'tenge', 14, { name: 'ret_amount', redNegative: true }),
    column('commissionBack', 'tenge', 13),
    column('vatBack', 'tenge', 12),
    column('soldAt', 'moment', 19),
    column('originStatement', 'id', 14),
    column('paymentId', 'id', 28, { api: 'payment_info.external_payment_id' }),
    column('usedAt', 'moment', 19, { isMutable: true }),
  ],
  conditionalFills: () => [
    { when: 'LEN({usedAt})>0', fill: RED_FILL, columns: ['usedAt'] },
    { when: '{kind}="EVENT_CANCEL"', fill: AMBER_FILL, columns: ['kind'] },
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
