import { oneOrder } from '#sales/queries/one_order'
import { attemptsOn, within15Digits, wholeSeconds, displayable } from '#workbooks/sheets/scope_sql'
import {
  AMBER_FILL,
  RED_FILL,
  changeableColumn,
  rowNumber,
  wordsColumn,
  type DataSheet,
} from '#workbooks/sheets/sheet'

const SENT_AT = `CASE WHEN a.timestamp_sent ~ '^[0-9]{10}$' THEN to_timestamp(a.timestamp_sent::bigint) END`

/** Every confirm attempt of the orders in a case: the evidence of the defects. */
export const attempts: DataSheet = {
  key: 'attempts',
  rowKey: 'no',
  hashed: 'changeable',
  paneColumns: 2,
  printedColumns: 13,
  columns: [
    rowNumber('att_no', 'changeable'),
    changeableColumn('caseId', 'id', 9),
    changeableColumn('orderId', 'id', 20, { api: 'order_id' }),
    changeableColumn('receivedAt', 'moment', 19),
    changeableColumn('httpStatus', 'count', 9, { format: '0' }),
    wordsColumn('codeName', 'code', 34, ({ refusedConfirms }) => refusedConfirms, { wrap: true }),
    changeableColumn('windowEndsAt', 'moment', 19),
    changeableColumn('lateBy', 'count', 12),
    changeableColumn('paidAt', 'moment', 19, { api: 'payment_info.paid_at' }),
    changeableColumn('paidAmount', 'tenge', 13, { api: 'payment_info.amount_tenge' }),
    changeableColumn('total', 'tenge', 13, { api: 'total_tenge' }),
    changeableColumn('paymentId', 'id', 28, { api: 'payment_info.external_payment_id' }),
    changeableColumn('clockOffset', 'count', 13),
    changeableColumn('paidAtRaw', 'id', 28, { api: 'payment_info.paid_at' }),
    changeableColumn('timestampSent', 'id', 16, { api: 'X-Timestamp' }),
    changeableColumn('requestId', 'id', 38, { api: 'X-Request-Id' }),
    changeableColumn('code', 'text', 26, { api: 'error.code' }),
  ],
  conditionalFills: () => [
    { when: 'N({lateBy})>0', fill: RED_FILL, columns: ['lateBy'] },
    { when: '{httpStatus}>=400', fill: AMBER_FILL, columns: ['httpStatus', 'codeName'] },
    { when: 'ABS(N({clockOffset}))>30', fill: AMBER_FILL, columns: ['clockOffset'] },
    { when: 'AND(N({total})>0,N({paidAmount})<>{total})', fill: RED_FILL, columns: ['paidAmount'] },
  ],
  sql: `
    SELECT row_number() OVER (ORDER BY a.id)::integer AS no, case_order.case_ids AS "caseId", a.order_id_sent AS "orderId",
           a.received_at AS "receivedAt", a.timestamp_sent AS "timestampSent",
           ${wholeSeconds(`a.received_at - ${SENT_AT}`)} AS "clockOffset", a.http_status AS "httpStatus", a.code,
           a.window_ends_at AS "windowEndsAt",
           CASE WHEN a.received_at > a.window_ends_at THEN ${wholeSeconds('a.received_at - a.window_ends_at')} END AS "lateBy",
           a.paid_at_raw AS "paidAtRaw", ${displayable('a.paid_at')} AS "paidAt", ${within15Digits('a.amount_tenge')} AS "paidAmount",
           o.total_tenge::bigint AS total, a.external_payment_id AS "paymentId", a.request_id::text AS "requestId"
      FROM scope CROSS JOIN (
        SELECT order_id, string_agg(DISTINCT case_id::text, ' ') AS case_ids
          FROM (SELECT unnest(order_ids) AS order_id, id AS case_id FROM scope_cases
                 UNION SELECT order_id, case_id FROM scope_defects) case_orders GROUP BY order_id) case_order
      JOIN ${attemptsOn('case_order.order_id')} ON a.partner_id = scope.partner_id
      LEFT JOIN ${oneOrder('a.order_id_sent')} ON o.partner_id = a.partner_id`,
}
