import { changeableColumn, rowNumber, wordsColumn, type DataSheet } from '#workbooks/sheets/sheet'

/** Confirmed registers whose days overlap the period, whenever these begin by their sources; without one the workbook has no register sheet. */
export const REGISTERS_OF_SCOPE = `SELECT r.id, r.file_name, r.sheet FROM partner_registers r, scope
  WHERE r.partner_id = scope.partner_id AND r.state = 'confirmed'
    AND r.period_from - r.day_shift_minutes * interval '1 minute' < scope.period_to
    AND r.period_to - r.day_shift_minutes * interval '1 minute' > scope.period_from`

/**
 * The sheet or file of line `l` of register `r` where it has several; nothing otherwise, so that workbooks that were sent keep
 * their changeable data hash.
 */
export const PLACE_OF_LINE = `
  SELECT part.first_line, part.file_name || coalesce(', «' || part.sheet || '»', '') AS name
    FROM (SELECT r.file_name, r.sheet, 1 AS first_line
           UNION ALL
          SELECT file_name, sheet, first_line FROM partner_register_parts WHERE register_id = r.id) part
   WHERE part.first_line <= l.line AND EXISTS (SELECT 1 FROM partner_register_parts WHERE register_id = r.id)
   ORDER BY part.first_line DESC LIMIT 1`

/** One row per line of the partner's registers, and one per order of ours that they lack. */
export const register: DataSheet = {
  key: 'register',
  rowKey: 'no',
  hashed: 'changeable',
  partSum: 'registerAmount',
  paneColumns: 2,
  printedColumns: 14,
  columns: [
    rowNumber('reg_no', 'changeable'),
    changeableColumn('registerFile', 'text', 28),
    changeableColumn('fileLine', 'count', 10),
    changeableColumn('partnerOrderId', 'id', 28, { api: 'partner_order_id' }),
    changeableColumn('paymentId', 'id', 28, { api: 'payment_info.external_payment_id' }),
    changeableColumn('registerAmount', 'tenge', 16, { redNegative: true }),
    changeableColumn('ourOrder', 'id', 20, { api: 'order_id' }),
    changeableColumn('ourAmount', 'tenge', 16),
    changeableColumn('difference', 'tenge', 14, { redNegative: true }),
    wordsColumn('statusName', 'status', 20, ({ orderStatuses }) => orderStatuses),
    wordsColumn('categoryName', 'category', 24, ({ matchCategories }) => matchCategories),
    wordsColumn('matchStepName', 'matchStep', 30, ({ matchSteps }) => matchSteps, { wrap: true }),
    changeableColumn('candidates', 'text', 32, { wrap: true }),
    wordsColumn('decisionName', 'decision', 14, ({ matchDecisions }) => matchDecisions),
    // Not at the cut-off, as its heading says, but when the register was compared; of several orders the last by the alphabet.
    // Another value would change the changeable data hash of workbooks that were sent.
    changeableColumn('status', 'text', 18),
    changeableColumn('category', 'text', 22),
    changeableColumn('matchStep', 'text', 24),
    changeableColumn('decision', 'text', 14),
  ],
  // Our amount is on the first line of its case only, so that the column adds up.
  sql: `
    SELECT row_number() OVER (ORDER BY r.id, c.place, w.line)::integer AS no, coalesce(place.name, r.file_name) AS "registerFile",
           w.line - coalesce(place.first_line - 1, 0) AS "fileLine",
           coalesce(w.order_key, o.partner_order_id) AS "partnerOrderId", w.payment_id AS "paymentId",
           w.amount_tenge AS "registerAmount", coalesce(ours.order_id, c.meant_order_id) AS "ourOrder",
           CASE WHEN l.is_further IS NOT TRUE THEN c.total_tenge - c.refunded_tenge END AS "ourAmount",
           CASE WHEN l.is_further IS NOT TRUE THEN c.sales_tenge - c.refunds_tenge - c.total_tenge + c.refunded_tenge END AS difference,
           upper(ours.status) AS status, c.category, c.step AS "matchStep",
           (SELECT string_agg(named.number, ' ') FROM jsonb_array_elements(c.why) reason,
                   jsonb_array_elements_text(coalesce(reason #> '{detail,orderIds}', '[]')) named (number)) AS candidates,
           c.decision
      FROM (${REGISTERS_OF_SCOPE}) r
      JOIN partner_register_cases c ON c.register_id = r.id
      LEFT JOIN LATERAL (
           SELECT line, line > min(line) OVER () AS is_further FROM partner_register_case_rows
            WHERE case_id = c.id) l ON true
      LEFT JOIN LATERAL (${PLACE_OF_LINE}) place ON true
      LEFT JOIN LATERAL (
           SELECT * FROM partner_register_rows WHERE register_id = c.register_id AND line = l.line OFFSET 0) w ON true
      LEFT JOIN LATERAL (
           SELECT string_agg(order_id, ' ' ORDER BY order_id) AS order_id, max(status::text) AS status, min(order_id) AS first
             FROM partner_register_case_orders WHERE case_id = c.id) ours ON true
      LEFT JOIN orders o ON o.id = ours.first`,
}
