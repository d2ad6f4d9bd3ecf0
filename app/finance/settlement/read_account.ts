import { listTerms, type TermsRow } from '#ledger/terms'
import { MOVEMENT_KINDS, amountDue, type Totals } from '#ledger/movements'
import { listStatements } from '#ledger/queries/find_statement'
import { previewPeriod } from '#ledger/queries/preview_period'
import { statementNumber, memoNumber } from '#ledger/statement_status'
import { statement } from '#shared/statement'

interface Memo {
  id: number
  number: number | null
  kind: string
  amountTenge: number
  reason: string
  askedBy: string
  askedAt: string
  outcome: string | null
  decidedBy: string | null
}
const selectMemos = statement<Memo, { partnerId: number }>(
  'back_office_memos',
  `SELECT id, number, kind, amount_tenge::float8 AS "amountTenge", reason, asked_by AS "askedBy", asked_at AS "askedAt",
          outcome, decided_by AS "decidedBy"
     FROM settlement_memos WHERE partner_id = :partnerId ORDER BY id DESC LIMIT 50`
)
const selectPayments = statement<
  {
    id: number
    bankReference: string
    paidOn: string
    direction: string
    amountTenge: number
    statements: number[]
  },
  { partnerId: number }
>(
  'back_office_payments',
  `SELECT y.id, y.bank_reference AS "bankReference", y.paid_on::text AS "paidOn", y.direction,
          y.amount_tenge::float8 AS "amountTenge",
          ARRAY(SELECT s.number FROM settlement_payment_parts part JOIN settlement_statements s ON s.id = part.statement_id
                 WHERE part.payment_id = y.id ORDER BY s.number) AS statements
     FROM settlement_payments y WHERE y.partner_id = :partnerId ORDER BY y.id DESC LIMIT 50`
)

/** Pages take numbers: a sum of tenge is far from what they can't hold. */
export const totalsOf = (totals: Totals) =>
  MOVEMENT_KINDS.map((kind) => ({ kind, ...totals[kind], tenge: Number(totals[kind].tenge) }))

const termsOf = (terms: TermsRow) => ({
  ...terms,
  minPaymentTenge: Number(terms.minPaymentTenge),
  penaltyTenge: Number(terms.penaltyTenge),
  validFrom: terms.validFrom.toISOString(),
})

export async function readAccount(partnerId: number) {
  const [terms, statements, memos, payments] = await Promise.all([
    ...([listTerms({ partnerId }), listStatements(partnerId)] as const),
    ...([selectMemos({ partnerId }), selectPayments({ partnerId })] as const),
  ])
  return {
    terms: terms.map(termsOf),
    statements: statements.map((one) => ({
      ...{ id: one.id, number: statementNumber(one.number), status: one.status },
      ...{ from: one.from.toISOString(), to: one.to.toISOString(), lines: one.lines },
      ...{ closingTenge: Number(one.closingTenge), paidTenge: Number(one.paidTenge) },
      dueTenge: Number(amountDue(one.totals)),
    })),
    memos: memos.map((memo) => ({ ...memo, number: memo.number && memoNumber(memo.number) })),
    payments: payments.map((paid) => ({
      ...paid,
      statements: paid.statements.map(statementNumber),
    })),
  }
}

/** The open period as it would be closed now. */
export async function readPreview(partnerId: number) {
  const found = await previewPeriod(partnerId)
  if (!found) return null
  return {
    ...{ from: found.from.toISOString(), to: found.to.toISOString() },
    ...{ closesAt: found.closesAt.toISOString(), isOver: found.closesAt.getTime() <= Date.now() },
    ...{ openingTenge: Number(found.openingTenge), closingTenge: Number(found.closingTenge) },
    ...{ lines: found.lines, lateLines: found.lateLines, totals: totalsOf(found.totals) },
  }
}
