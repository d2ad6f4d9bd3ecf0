import { oneOrder } from '#sales/queries/one_order'
import {
  attemptsOn,
  defectCodesOf,
  paddedNumber,
  statementOfSale,
  wholeSeconds,
  displayable,
  TITLE,
} from '#workbooks/sheets/scope_sql'
import {
  AMBER_FILL,
  GREY_FILL,
  RED_FILL,
  changeableColumn,
  fixedColumn,
  linkColumn,
  rowNumber,
  translatedColumn,
  wordsColumn,
  type DataRow,
  type DataSheet,
} from '#workbooks/sheets/sheet'
import type { Words } from '#workbooks/words/words'
import { linkToRow } from '#spreadsheets/cells'

/** To the order's first defect in this book. */
const toDefects = ({ linkedCase }: DataRow, words: Words) =>
  typeof linkedCase === 'string'
    ? linkToRow(words.sheets.defects, 'C', 'def_case', linkedCase)
    : null

/** One row an order that was paid here, gave money back here, or is in a case of the period. */
export const orders: DataSheet = {
  key: 'orders',
  rowKey: 'orderId',
  hashed: 'fixed',
  partSum: 'payable',
  paneColumns: 2,
  printedColumns: 14,
  columns: [
    rowNumber('ord_no', 'changeable'),
    fixedColumn('orderId', 'id', 18, { api: 'order_id', definedName: 'ord_id' }),
    fixedColumn('partnerOrderId', 'id', 26, { api: 'partner_order_id' }),
    wordsColumn('statusName', 'status', 19, ({ orderStatuses }) => orderStatuses),
    translatedColumn('eventTitle', 'text', 24, { api: 'title' }),
    fixedColumn('paidAt', 'moment', 19, { api: 'payment_info.paid_at' }),
    fixedColumn('tickets', 'count', 10),
    fixedColumn('sold', 'tenge', 14, { definedName: 'ord_sold', isSummed: true }),
    fixedColumn('returned', 'tenge', 14, {
      definedName: 'ord_returned',
      isSummed: true,
      redNegative: true,
    }),
    fixedColumn('commission', 'tenge', 13, { redNegative: true }),
    fixedColumn('vat', 'tenge', 13, { redNegative: true }),
    fixedColumn('payable', 'tenge', 17, {
      definedName: 'ord_payable',
      isSummed: true,
      redNegative: true,
    }),
    fixedColumn('paidBeforeCreated', 'flag', 24),
    changeableColumn('expiredAttempts', 'count', 17),
    changeableColumn('caseId', 'id', 10),
    linkColumn('toDefects', 10, toDefects),
    fixedColumn('createdAt', 'moment', 19, { api: 'created_at' }),
    fixedColumn('net', 'tenge', 13),
    fixedColumn('total', 'tenge', 14, { api: 'total_tenge' }),
    fixedColumn('paidAmount', 'tenge', 14, { api: 'payment_info.amount_tenge' }),
    fixedColumn('difference', 'tenge', 12, { redNegative: true }),
    fixedColumn('windowEndsAt', 'moment', 19, { api: 'expires_at' }),
    fixedColumn('paidAtRaw', 'id', 28, { api: 'payment_info.paid_at' }),
    fixedColumn('confirmedAt', 'moment', 19),
    fixedColumn('paidMinusCreated', 'count', 14, { redNegative: true }),
    fixedColumn('confirmMinusPaid', 'count', 16, { redNegative: true }),
    fixedColumn('currency', 'text', 10, { api: 'payment_info.currency' }),
    fixedColumn('method', 'text', 14, { api: 'payment_info.method' }),
    fixedColumn('paymentId', 'id', 28, { api: 'payment_info.external_payment_id' }),
    changeableColumn('paidBeforeCreatedClass', 'text', 24),
    changeableColumn('otherCodes', 'text', 36),
    fixedColumn('statement', 'id', 14),
    changeableColumn('status', 'text', 19, { api: 'status' }),
  ],
  conditionalFills: () => [
    { when: '{paidBeforeCreated}=1', fill: RED_FILL, columns: ['paidBeforeCreated'] },
    { when: '{expiredAttempts}>0', fill: RED_FILL, columns: ['expiredAttempts'] },
    { when: 'N({difference})<>0', fill: AMBER_FILL, columns: ['paidAmount', 'difference'] },
    { when: '{status}="expired"', fill: GREY_FILL, columns: ['statusName'] },
  ],
  isFixed: ({ hasMovements }) => hasMovements === true,
  sql: `
    SELECT row_number() OVER (ORDER BY o.created_at, o.id)::integer AS no, o.id AS "orderId",
           o.partner_order_id AS "partnerOrderId",
           CASE WHEN coalesce(o.confirmed_at, o.cancelled_at) >= scope.cut_off THEN order_status_at(scope.cut_off, 'pending', o.window_ends_at)
                WHEN o.confirmed_at IS NULL THEN order_status_at(scope.cut_off, o.stored_status, o.window_ends_at)
                WHEN t.voided = 0 THEN 'paid' WHEN t.voided = t.all THEN 'refunded' ELSE 'partially_refunded' END AS status,
           ${TITLE} AS "eventTitle", o.created_at AS "createdAt", o.window_ends_at AS "windowEndsAt",
           ${displayable('o.payment_paid_at')} AS "paidAt", o.payment_paid_at_raw AS "paidAtRaw", o.confirmed_at AS "confirmedAt",
           ${wholeSeconds('o.payment_paid_at - o.created_at')} AS "paidMinusCreated",
           ${wholeSeconds('o.confirmed_at - o.payment_paid_at')} AS "confirmMinusPaid",
           t.all::integer AS tickets, o.total_tenge::bigint AS total, o.payment_amount_tenge AS "paidAmount",
           o.payment_amount_tenge - o.total_tenge AS difference, o.payment_currency AS currency, o.payment_method AS method,
           o.payment_external_id AS "paymentId", p.sold, p.returned, p.sold + p.returned AS net, p.commission, p.vat, p.payable,
           coalesce(o.payment_paid_at < o.created_at, false) AS "paidBeforeCreated", codes.early_class AS "paidBeforeCreatedClass",
           (SELECT count(*)::integer FROM ${attemptsOn('o.id')}
             WHERE a.partner_id = o.partner_id AND a.code = 'ORDER_EXPIRED') AS "expiredAttempts",
           array_to_string(array_remove(codes.codes, 'PAID_BEFORE_CREATED'), ' ') AS "otherCodes", codes.case_ids AS "caseId",
           ${paddedNumber('SET', 'settled.number')} AS statement, p.has_movements AS "hasMovements", codes.case_here AS "linkedCase"
      FROM scope CROSS JOIN LATERAL (
        SELECT order_id, sum(sold)::bigint AS sold, sum(returned)::bigint AS returned, sum(commission)::bigint AS commission,
               sum(vat)::bigint AS vat, sum(payable)::bigint AS payable, bool_or(has_movements) AS has_movements
          FROM (SELECT order_id, sold, returned, commission, vat, payable, true AS has_movements FROM per_order
                 UNION ALL
                SELECT unnest(order_ids) AS order_id, 0 AS sold, 0 AS returned, 0 AS commission, 0 AS vat, 0 AS payable,
                       false AS has_movements FROM scope_cases) listed GROUP BY order_id) p
      JOIN ${oneOrder('p.order_id')} ON o.partner_id = scope.partner_id
      LEFT JOIN events e ON e.id = o.event_id
      LEFT JOIN ${statementOfSale('o.id')} ON true
      LEFT JOIN ${defectCodesOf('o.id')} ON true,
      LATERAL (SELECT count(*) AS all, count(*) FILTER (WHERE status = 'void' AND voided_at < scope.period_to) AS voided
                 FROM tickets WHERE order_id = o.id) t`,
}
