import {
  KINDS_WITHOUT_ORDER,
  kindList,
  memoOf,
  paddedNumber,
  paymentOf,
  roleOf,
} from '#workbooks/sheets/scope_sql'
import { column, GREY_FILL, RED_FILL, type DataSheet } from '#workbooks/sheets/sheet'

/** Adjustment memos and bank payments: the movements that belong to no order. */
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
           coalesce(${paddedNumber('MEM', 'memo.number')}, payment.bank_reference) AS document,
           upper(m.kind) AS kind, m.effective_at AS "effectiveAt", m.amount_tenge AS amount, memo.reason,
           ${paddedNumber('SET', 's.number')} AS "originStatement", memo.origin_line AS "originLine",
           ${roleOf('coalesce(memo.asked_by, payment.recorded_by)')} AS "askedBy",
           ${roleOf('memo.decided_by')} AS "decidedBy", memo.decided_at AS "decidedAt"
      FROM scope_movements m
      LEFT JOIN ${memoOf('m')}
      LEFT JOIN ${paymentOf('m')}
      LEFT JOIN settlement_statements s ON s.id = memo.origin_statement_id
     WHERE m.kind IN (${kindList(KINDS_WITHOUT_ORDER)})`,
}
