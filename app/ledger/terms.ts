import { isMidnight } from '#shared/days'
import { type PeriodKind } from '#ledger/periods'
import { refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { magnitude } from '#shared/tenge'

export interface Terms {
  validFrom: Date
  period: PeriodKind
  /** Hundredths of a percent of each ticket's price that the partner keeps. */
  commissionBp: number
  /** Hundredths of a percent of the commission. */
  vatBp: number
  rounding: 'half_up' | 'down'
  /** How long after its end a period may still receive what began in it. */
  graceMinutes: number
  disputeDays: number
  /** Whether a statement counts as agreed once its time for dispute is over. */
  silenceAgrees: boolean
  /** A balance below it is not transferred but carried to the next period. */
  minPaymentTenge: bigint
  /** How long a partner has to show that it gave late money back. */
  refundEvidenceDays: number
  /** Whether one payment may stand for several orders. */
  allowsCombinedPayments: boolean
  /** What each case of a confirm after the window costs it; 0 for nothing. */
  penaltyTenge: bigint
  legalName: string | null
  bin: string | null
  contractNumber: string | null
  contractDate: string | null
}

export interface TermsRow extends Terms {
  id: number
  /** Null for what a partner begins with, until somebody agrees on terms. */
  setBy: string | null
}

export const TERMS_COLUMNS = `id, valid_from AS "validFrom", period, commission_bp AS "commissionBp", vat_bp AS "vatBp", rounding,
  grace_minutes AS "graceMinutes", dispute_days AS "disputeDays", silence_agrees AS "silenceAgrees",
  min_payment_tenge AS "minPaymentTenge", refund_evidence_days AS "refundEvidenceDays",
  allows_combined_payments AS "allowsCombinedPayments", penalty_tenge AS "penaltyTenge",
  legal_name AS "legalName", bin,
  contract_number AS "contractNumber", contract_date::text AS "contractDate", set_by AS "setBy"`

/** The terms that are in force for a partner at a moment. */
export const findTermsAt = statement<TermsRow, { partnerId: number; begins: Date }>(
  'settlement_terms_at',
  `SELECT ${TERMS_COLUMNS} FROM settlement_terms
    WHERE partner_id = :partnerId AND valid_from <= :begins ORDER BY valid_from DESC LIMIT 1`
)
export const findTerms = statement<TermsRow, { supersededTermsId: number }>(
  'settlement_terms_by_id',
  `SELECT ${TERMS_COLUMNS} FROM settlement_terms WHERE id = :supersededTermsId`
)
export const findAllTerms = statement<TermsRow, { partnerId: number }>(
  'settlement_terms_of_partner',
  `SELECT ${TERMS_COLUMNS} FROM settlement_terms WHERE partner_id = :partnerId ORDER BY valid_from DESC`
)

/** Less than the terms would have transferred, either way: it stays on the account. */
export const isCarriedOver = (closingTenge: bigint, { minPaymentTenge }: Terms) =>
  closingTenge !== 0n && magnitude(closingTenge) < minPaymentTenge

const BIN = /^\d{12}$/

export function assertTerms(terms: Terms) {
  if (!isMidnight(terms.validFrom))
    refuseField('validFrom', 'midnight', 'must be a midnight of the venues (UTC+5)')
  for (const field of ['commissionBp', 'vatBp'] as const)
    if (!Number.isInteger(terms[field]) || terms[field] < 0 || terms[field] > 10_000)
      refuseField(field, 'range', 'must be from 0 to 100 percent, in hundredths of a percent')
  if (terms.bin !== null && !BIN.test(terms.bin))
    refuseField('bin', 'format', 'must have 12 digits')
}
