import { ROLE_OF, STATEMENT_NUMBER } from '#workbooks/sheets/scope_sql'
import { column, GREY_FILL, RED_FILL, type DataSheet } from '#workbooks/sheets/sheet'

/** Adjustment memos, bank payments and rounding: the movements that belong to no order. */
export const adjustments: DataSheet = {
  key: 'adjustments',
  rowKey: 'no',
  frozenColumns: 2,
  columns: [
    column('no', 'count', 10, { name: 'adj_no' }),
    column('document', 'id', 24),
    column('kind', 'text', 16),
    column('effectiveAt', 'moment', 19),
    column('amount', 'tenge', 15, { name: 'adj_amount', redNegative: true }),
    column('reason', 'text', 46, { wrap: true }),
    column('originStatement', 'id', 15),
    column('originLine', 'count', 10),
    column('askedBy', 'text', 14, { isMutable: true }),
    column('decidedBy', 'text', 14, { isMutable: true }),
    column('decidedAt', 'moment', 19),
  ],
  conditionalFills: () => [
    { when: '{kind}="PENALTY"', fill: RED_FILL, columns: ['kind'] },
    { when: '{kind}="PAYMENT"', fill: GREY_FILL, columns: ['kind'] },
  ],
  sql: `
    SELECT row_number() OVER (ORDER BY m.no)::integer AS no,
           coalesce('MEM-' || lpad(memo.number::text, greatest(6, length(memo.number::text)), '0'), paid.bank_reference) AS document,
           upper(m.kind) AS kind, m.effective_at AS "effectiveAt", m.amount_tenge AS amount, memo.reason,
           ${STATEMENT_NUMBER('s.number')} AS "originStatement", memo.origin_line AS "originLine",
           ${ROLE_OF('coalesce(memo.asked_by, paid.recorded_by)')} AS "askedBy",
           ${ROLE_OF('memo.decided_by')} AS "decidedBy", memo.decided_at AS "decidedAt"
      FROM moved m
      LEFT JOIN settlement_memos memo
        ON memo.id = CASE WHEN m.kind IN ('adj_debit', 'adj_credit', 'penalty') THEN split_part(m.source, ':', 2)::integer END
      LEFT JOIN settlement_payments paid
        ON paid.id = CASE WHEN m.kind = 'payment' THEN split_part(m.source, ':', 2)::integer END
      LEFT JOIN settlement_statements s ON s.id = memo.origin_statement_id
     WHERE m.kind IN ('adj_debit', 'adj_credit', 'penalty', 'payment', 'commission_rounding', 'vat_rounding')`,
  order: 'no',
}
