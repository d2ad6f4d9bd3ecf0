import {
  KINDS_WITHOUT_ORDER,
  kindList,
  memoOf,
  paddedNumber,
  paymentOf,
  roleOf,
} from '#workbooks/sheets/scope_sql'
import {
  GREY_FILL,
  RED_FILL,
  changeableColumn,
  fixedColumn,
  rowNumber,
  wordsColumn,
  type DataSheet,
} from '#workbooks/sheets/sheet'

/** Adjustment memos, bank payments and rounding: the movements that belong to no order. */
export const adjustments: DataSheet = {
  key: 'adjustments',
  rowKey: 'no',
  hashed: 'fixed',
  partSum: 'amount',
  paneColumns: 2,
  printedColumns: 11,
  columns: [
    rowNumber('adj_no', 'fixed'),
    fixedColumn('document', 'id', 24),
    wordsColumn('kindName', 'kind', 32, ({ kinds }) => kinds),
    fixedColumn('effectiveAt', 'moment', 19),
    fixedColumn('amount', 'tenge', 15, {
      definedName: 'adj_amount',
      isSummed: true,
      redNegative: true,
    }),
    fixedColumn('reason', 'text', 46, { wrap: true }),
    fixedColumn('originStatement', 'id', 15),
    fixedColumn('originLine', 'count', 10),
    wordsColumn('askedByName', 'askedBy', 16, ({ doers }) => doers),
    wordsColumn('decidedByName', 'decidedBy', 16, ({ doers }) => doers),
    fixedColumn('decidedAt', 'moment', 19),
    fixedColumn('kind', 'text', 16),
    changeableColumn('askedBy', 'text', 14),
    changeableColumn('decidedBy', 'text', 14),
  ],
  conditionalFills: () => [
    { when: '{kind}="PENALTY"', fill: RED_FILL, columns: ['kindName'] },
    { when: '{kind}="PAYMENT"', fill: GREY_FILL, columns: ['kindName'] },
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
