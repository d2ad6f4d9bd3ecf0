import { fitting, shown, TITLE } from '#settlement/workbook/scope_sql'
import { column, type DataSheet } from '#settlement/workbook/sheet'
import type { Words } from '#settlement/workbook/words/words'

const SEVERITY_FILLS = { BLOCKER: 'FF9999', HIGH: 'FFC7CE', MEDIUM: 'FFEB9C' }

/** One row a defect, those of a case together; the last columns but one are for the partner to fill in. */
export const defects: DataSheet = {
  key: 'defects',
  frozenColumns: 4,
  columns: [
    column('no', 'count', 10, { name: 'def_no' }),
    column('defectId', 'id', 10),
    column('caseId', 'id', 10, { name: 'def_case' }),
    column('code', 'id', 28, { name: 'def_code' }),
    column('name', 'text', 34, { isTranslated: true, wrap: true }),
    column('severity', 'text', 12, { fills: SEVERITY_FILLS }),
    column('isStrictBreach', 'flag', 14),
    column('subclass', 'text', 18),
    column('state', 'text', 13, { name: 'def_state' }),
    column('fault', 'text', 11),
    column('orderId', 'id', 20, { api: 'order_id' }),
    column('partnerOrderId', 'id', 28, { api: 'partner_order_id' }),
    column('paymentId', 'id', 28, { api: 'payment_info.external_payment_id' }),
    column('eventTitle', 'text', 32, { api: 'title', isTranslated: true }),
    column('occurredAt', 'moment', 20),
    column('foundAt', 'moment', 20),
    column('createdAt', 'moment', 20, { api: 'created_at' }),
    column('windowEndsAt', 'moment', 20, { api: 'expires_at' }),
    column('paidAtRaw', 'id', 28, { api: 'payment_info.paid_at' }),
    column('paidAt', 'moment', 20, { api: 'payment_info.paid_at' }),
    column('deviation', 'count', 14),
    column('attempts', 'count', 10, { name: 'def_attempts' }),
    column('payments', 'count', 10),
    column('claimed', 'tenge', 14),
    column('total', 'tenge', 14, { api: 'total_tenge' }),
    column('exposure', 'tenge', 14, { name: 'def_exposure' }),
    column('party', 'text', 11, { name: 'def_party' }),
    column('linkedOrders', 'id', 28),
    column('dueOn', 'date', 12),
    column('resolution', 'text', 28, { wrap: true }),
    column('stateBy', 'text', 18),
    column('stateAt', 'moment', 20),
    column('hint', 'text', 18),
    column('answer', 'text', 18, {
      isOpen: true,
      choices: ({ answers }) => Object.values(answers),
    }),
    column('answerReference', 'text', 22, { isOpen: true }),
    column('answerComment', 'text', 32, { isOpen: true, wrap: true }),
    column('rowCode', 'id', 16),
  ],
  sql: `
    SELECT row_number() OVER (ORDER BY c.occurred_at, c.id, d.weight)::integer AS no, d.id::text AS "defectId",
           c.id::text AS "caseId", d.code, d.severity, d.is_strict_breach AS "isStrictBreach", concat_ws(' + ', d.subclass, CASE WHEN d.is_recovered THEN 'RECOVERED' END) AS subclass, c.state, d.fault,
           d.order_id AS "orderId", o.partner_order_id AS "partnerOrderId", d.payment_id AS "paymentId", ${TITLE} AS "eventTitle",
           c.occurred_at AS "occurredAt", d.found_at AS "foundAt", o.created_at AS "createdAt", o.window_ends_at AS "windowEndsAt",
           coalesce(o.payment_paid_at_raw, a.raw) AS "paidAtRaw", ${shown('coalesce(o.payment_paid_at, a.paid_at)')} AS "paidAt",
           d.deviation_ms / 1000 AS deviation, coalesce(a.attempts, 0) AS attempts, coalesce(a.payments, 0) AS payments,
           ${fitting('a.claimed')}::bigint AS claimed, o.total_tenge::bigint AS total,
           CASE d.weight WHEN 1 THEN c.exposure_tenge ELSE 0 END::bigint AS exposure, c.exposure_party AS party,
           array_to_string(array_remove(c.order_ids, d.order_id), ' ') AS "linkedOrders", c.due_on::text AS "dueOn", c.resolution,
           c.state_by AS "stateBy", c.state_at AS "stateAt", d.hint, NULL AS answer, NULL AS "answerReference",
           NULL AS "answerComment",
           upper(left(encode(sha256(convert_to(concat_ws('|', d.id, c.id, d.code, d.order_id, d.payment_id, c.exposure_tenge,
             c.exposure_party), 'UTF8')), 'hex'), 12)) AS "rowCode"
      FROM scope CROSS JOIN found d
      JOIN cases c ON c.id = d.of_case
      LEFT JOIN orders o ON o.id = d.order_id AND o.partner_id = c.partner_id
      LEFT JOIN events e ON e.id = o.event_id,
      LATERAL (SELECT sum(attempts)::integer AS attempts, count(payment)::integer AS payments,
                      sum(tenge) FILTER (WHERE payment IS NOT NULL) AS claimed, (array_agg(raw ORDER BY first))[1] AS raw,
                      (array_agg(paid_at ORDER BY first))[1] AS paid_at
                 FROM (SELECT external_payment_id AS payment, count(*) AS attempts, max(amount_tenge) AS tenge, min(id) AS first,
                              (array_agg(paid_at_raw ORDER BY id))[1] AS raw, (array_agg(paid_at ORDER BY id))[1] AS paid_at
                         FROM confirm_attempts
                        WHERE order_id_sent = d.order_id AND partner_id = c.partner_id AND signature_valid
                        GROUP BY external_payment_id) each_payment) a`,
  order: 'no',
  say: (row, words) => ({
    ...row,
    name: words.defects[row.code as keyof Words['defects']] ?? null,
  }),
}
