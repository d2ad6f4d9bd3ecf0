import type {
  AccountFilters,
  KindTotal,
  MemoLine,
  OpenPeriod,
  PaymentLine,
  PaymentName,
  SameBy,
  RequestLine,
  StatementLine,
  TermsLine,
} from '#finance/settlement/settlement_props'
import { readOpenCasesOfPeriod } from '#defects/cases/open_cases_of_period'
import { readOpenItems } from '#finance/settlement/read_open_items'
import { PAGE_SIZE, listPage, readIdCursor } from '#staff_area/lists'
import type { WithDates } from '#staff_area/page_props'
import { readOnce } from '#staff_area/read_once'
import { listTerms, type TermsRow } from '#ledger/terms'
import { MOVEMENT_KINDS, type Totals } from '#ledger/movements'
import { listStatements, type SettlementStatement } from '#ledger/queries/find_statement'
import { findNextPeriod } from '#ledger/queries/find_next_period'
import { previewPeriod } from '#ledger/queries/preview_period'
import { statementNumber, memoNumber } from '#ledger/statement_status'
import { readDay } from '#shared/days'
import { statement } from '#shared/statement'

type MemoRow = WithDates<Omit<MemoLine, 'number' | 'reverses'>, 'askedAt'> & {
  number: number | null
  reverses: number | null
}
type PaymentRow = Omit<PaymentLine, 'statements'> & { statements: number[] }

const MEMOS_OF_PARTNER = `SELECT id, number, kind, amount_tenge::float8 AS "amountTenge", reason, asked_by AS "askedBy", asked_at AS "askedAt",
          outcome, decided_by AS "decidedBy",
          (SELECT reversed.number FROM settlement_memos reversed WHERE reversed.id = memo.reverses_id) AS reverses,
          EXISTS (SELECT 1 FROM settlement_memos back WHERE back.reverses_id = memo.id AND back.outcome IS DISTINCT FROM 'declined') AS "isReversed"
     FROM settlement_memos memo WHERE partner_id = :partnerId`
const selectUndecidedMemos = statement<MemoRow, { partnerId: number }>(
  'back_office_undecided_memos',
  `${MEMOS_OF_PARTNER} AND outcome IS NULL ORDER BY id DESC`
)
type PageOfPartner = { partnerId: number; before: number | null }
const selectDecidedMemos = statement<MemoRow, PageOfPartner>(
  'back_office_decided_memos',
  `${MEMOS_OF_PARTNER} AND outcome IS NOT NULL AND (:before::integer IS NULL OR id < :before::integer)
    ORDER BY id DESC LIMIT ${PAGE_SIZE + 1}`
)
const selectPayments = statement<PaymentRow, PageOfPartner>(
  'back_office_payments',
  `SELECT y.id, y.bank_reference AS "bankReference", y.paid_on::text AS "paidOn", y.direction,
          y.amount_tenge::float8 AS "amountTenge",
          y.approved_by AS "approvedBy",
          (SELECT earlier.bank_reference FROM settlement_payments earlier WHERE earlier.id = y.duplicate_of_id) AS "duplicateOf",
          (SELECT reversed.bank_reference FROM settlement_payments reversed WHERE reversed.id = y.reverses_id) AS reverses, y.reason,
          EXISTS (SELECT 1 FROM settlement_payments back WHERE back.reverses_id = y.id) AS "isReversed",
          ARRAY(SELECT s.number FROM settlement_allocations a
                  JOIN settlement_statements s ON 'statement:' || s.id IN (a.credit, a.debit) AND s.partner_id = y.partner_id
                 WHERE a.partner_id = y.partner_id AND 'payment:' || y.id IN (a.credit, a.debit)
                 GROUP BY s.number HAVING sum(a.amount_tenge) > 0 ORDER BY s.number) AS statements
     FROM settlement_payments y
    WHERE y.partner_id = :partnerId AND (:before::integer IS NULL OR y.id < :before::integer)
    ORDER BY y.id DESC LIMIT ${PAGE_SIZE + 1}`
)

interface DayAndSum {
  partnerId: number
  paidOn: string
  direction: string
  amountTenge: number
}
const selectSamePayments = statement<PaymentName, DayAndSum>(
  'back_office_payments_of_day_and_sum',
  `SELECT y.id, y.bank_reference AS "bankReference", y.paid_on::text AS "paidOn", y.amount_tenge::float8 AS "amountTenge"
     FROM settlement_payments y
    WHERE y.partner_id = :partnerId AND y.paid_on = :paidOn::date AND y.direction = :direction
      AND y.amount_tenge = :amountTenge AND y.reverses_id IS NULL AND payment_keeps_reference(y) ORDER BY y.id`
)

/** Payments of a partner that another document of the same day and sum may repeat; none for a day or sum that is no such. */
export async function listSamePayments(partnerId: number, asked: Record<SameBy, string | null>) {
  const paidOn = readDay(asked.paidOn) && asked.paidOn
  const amountTenge = /^\d{1,13}$/.test(asked.amountTenge ?? '') ? Number(asked.amountTenge) : null
  if (!paidOn || !amountTenge) return []
  return selectSamePayments({ partnerId, paidOn, amountTenge, direction: asked.direction ?? '' })
}

const selectRequests = statement<WithDates<RequestLine, 'askedAt'>, { partnerId: number }>(
  'back_office_settlement_requests',
  `SELECT r.id, r.act, r.amount_tenge::float8 AS "amountTenge", r.asked_by AS "askedBy", r.asked_at AS "askedAt",
          CASE r.act WHEN 'payment' THEN r.input
            WHEN 'payment_reversal' THEN r.input || (SELECT jsonb_build_object('reverses', y.bank_reference, 'direction',
                CASE y.direction WHEN 'from_partner' THEN 'to_partner' ELSE 'from_partner' END)
              FROM settlement_payments y WHERE y.id = (r.input ->> 'paymentId')::integer) END AS payment,
          CASE r.act WHEN 'terms' THEN r.input
            WHEN 'terms_withdrawal' THEN (SELECT json_build_object('validFrom', t.valid_from, 'commissionBp', t.commission_bp, 'vatBp', t.vat_bp)
                                            FROM settlement_terms t WHERE t.id = (r.input ->> 'termsId')::integer)::jsonb END AS terms,
          r.input ->> 'reason' AS reason
     FROM settlement_requests r WHERE r.partner_id = :partnerId AND r.outcome IS NULL ORDER BY r.id`
)
const selectWithdrawn = statement<{ id: number; number: number }, { statementId: number }>(
  'back_office_withdrawn_statement',
  'SELECT id, number FROM settlement_statements WHERE id = :statementId'
)

/** The withdrawn statement of the open period; null when that was never closed. */
export async function readWithdrawn(partnerId: number) {
  const next = await findNextPeriod(partnerId)
  if (!next?.supersedesId) return null
  const { id, number } = await selectWithdrawn.one({ statementId: next.supersedesId })
  return { id, number: statementNumber(number) }
}

/** Tenge as numbers: a page's sums are far below the largest exact number. */
export const totalsOf = (totals: Totals): KindTotal[] =>
  MOVEMENT_KINDS.map((kind) => ({ kind, ...totals[kind], tenge: Number(totals[kind].tenge) }))

const termsLine = (terms: TermsRow): TermsLine => ({
  ...terms,
  minPaymentTenge: Number(terms.minPaymentTenge),
  penaltyTenge: Number(terms.penaltyTenge),
  validFrom: terms.validFrom.toISOString(),
})

export const statementLine = (one: SettlementStatement): StatementLine => ({
  id: one.id,
  number: statementNumber(one.number),
  status: one.status,
  from: one.from.toISOString(),
  to: one.to.toISOString(),
  lines: one.lines,
  closingTenge: Number(one.closingTenge),
  paymentStatus: one.paymentStatus,
  payBy: one.payBy,
  isOverdue: one.isOverdue,
  paidTenge: Number(one.paidTenge),
  dueTenge: Number(one.dueTenge),
})

/** Memos that wait for a decision are on the first page, however old they are; then those decided on, the newest first. */
async function listMemos(partnerId: number, cursor: string | null) {
  const before = readIdCursor(cursor)
  const waiting = before === null ? await selectUndecidedMemos({ partnerId }) : []
  const decided = await selectDecidedMemos({ partnerId, before })
  const { rows, ...page } = listPage(decided, cursorOf, before)
  return { rows: [...waiting, ...rows].map(memoLine), ...page }
}

const memoLine = (memo: MemoRow) => ({
  ...memo,
  number: memo.number === null ? null : memoNumber(memo.number),
  reverses: memo.reverses === null ? null : memoNumber(memo.reverses),
})

async function listPayments(partnerId: number, cursor: string | null) {
  const before = readIdCursor(cursor)
  const payments = await selectPayments({ partnerId, before })
  const lines = payments.map((paid) => ({
    ...paid,
    statements: paid.statements.map(statementNumber),
  }))
  return listPage(lines, cursorOf, before)
}

const cursorOf = ({ id }: { id: number }) => String(id)

/** Reads terms, statements, memos, payments and open requests of a partner, the newest first; each only when it is called. */
export const readersOfAccount = (
  partnerId: number,
  { memosBefore, paymentsBefore }: Pick<AccountFilters, 'memosBefore' | 'paymentsBefore'>
) => ({
  terms: () => listTerms({ partnerId }).then((terms) => terms.map(termsLine)),
  statements: () => listStatements(partnerId).then((found) => found.map(statementLine)),
  memos: readOnce(() => listMemos(partnerId, memosBefore)),
  payments: () => listPayments(partnerId, paymentsBefore),
  requests: readOnce(() => selectRequests({ partnerId })),
  withdrawn: () => readWithdrawn(partnerId),
  items: () => readOpenItems(partnerId),
})

/** The open period as it would be closed now; null before the first sale. */
export async function readPreview(partnerId: number): Promise<OpenPeriod | null> {
  const found = await previewPeriod(partnerId)
  if (!found) return null
  return {
    from: found.from.toISOString(),
    to: found.to.toISOString(),
    closesAt: found.closesAt.toISOString(),
    isOver: found.closesAt.getTime() <= Date.now(),
    openingTenge: Number(found.openingTenge),
    closingTenge: Number(found.closingTenge),
    lines: found.lines,
    lateLines: found.lateLines,
    totals: totalsOf(found.totals),
    openCases: await readOpenCasesOfPeriod({ partnerId, from: found.from, to: found.to }),
  }
}
