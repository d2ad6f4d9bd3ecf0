import platform from '#config/platform'
import type { PeriodKind } from '#ledger/periods'
import { isBin } from '#shared/bin'
import { isMidnight } from '#shared/days'
import { refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { abs } from '#shared/tenge'

/** What happens to a ticket with which a guest was admitted when its event is cancelled: it stays sold, or is void as the others. */
export const USED_TICKET_POLICIES = ['keep', 'void'] as const
export type UsedTicketPolicy = (typeof USED_TICKET_POLICIES)[number]

/** What was agreed with a partner, from a day on. */
export interface Terms {
  validFrom: Date
  period: PeriodKind
  /** Hundredths of a percent of each ticket's price that the partner keeps. */
  commissionBp: number
  /** Hundredths of a percent of the commission. */
  vatBp: number
  rounding: 'half_up' | 'down'
  /** How long a period stays open after its end, for sales in flight. */
  graceMinutes: number
  disputeDays: number
  /** Whether a statement counts as agreed once its time for dispute is over. */
  silenceAgrees: boolean
  /** Minimum payment: a smaller balance is carried to the next period. */
  minPaymentTenge: bigint
  /** How long a partner has to prove that it returned a late payment. */
  refundEvidenceDays: number
  /** Whether one payment may pay for several orders. */
  allowsCombinedPayments: boolean
  /** Penalty for each confirm after the payment window; 0 for none. */
  penaltyTenge: bigint
  /** For tickets that are sold under these terms. */
  usedTicketsOfCancelledEvents: UsedTicketPolicy
  /** Days from the issue of a statement until it is to be paid; null where none are agreed on. */
  paymentDays: number | null
  legalName: string | null
  /** Kazakh business identification number (БИН), 12 digits. */
  bin: string | null
  contractNumber: string | null
  contractDate: string | null
  /** Who signs for the partner: name and position. */
  signatory: string | null
}

export interface TermsRow extends Terms {
  id: number
  /** Null for first terms that nobody has set yet (`FIRST_TERMS_FROM`). */
  setBy: string | null
  /** The second person, where one was needed. */
  approvedBy: string | null
}

/**
 * The beginning of a partner's first terms: the year 2000, before any sale, so that every sale has terms. Their row is written
 * with the partner, by the trigger `open_account`: without commission, and with `set_by` NULL until somebody sets them. Setting
 * them is therefore an UPDATE, possible once; all later terms are INSERTs. No period is closed before (TERMS_NOT_SET).
 */
export const FIRST_TERMS_FROM = new Date('2000-01-01T00:00:00+05:00')

export const TERMS_COLUMNS = `id, valid_from AS "validFrom", period, commission_bp AS "commissionBp", vat_bp AS "vatBp", rounding,
  grace_minutes AS "graceMinutes", dispute_days AS "disputeDays", silence_agrees AS "silenceAgrees",
  min_payment_tenge AS "minPaymentTenge", refund_evidence_days AS "refundEvidenceDays",
  allows_combined_payments AS "allowsCombinedPayments", penalty_tenge AS "penaltyTenge",
  used_tickets_of_cancelled_events AS "usedTicketsOfCancelledEvents", payment_days AS "paymentDays",
  legal_name AS "legalName", bin,
  contract_number AS "contractNumber", contract_date::text AS "contractDate", signatory, set_by AS "setBy", approved_by AS "approvedBy"`

/** The terms in force at a moment. */
export const findTermsAt = statement<TermsRow, { partnerId: number; at: Date }>(
  'settlement_terms_at',
  `SELECT ${TERMS_COLUMNS} FROM settlement_terms
    WHERE partner_id = :partnerId AND valid_from <= :at ORDER BY valid_from DESC LIMIT 1`
)
export const findTermsById = statement<TermsRow, { termsId: number }>(
  'settlement_terms_by_id',
  `SELECT ${TERMS_COLUMNS} FROM settlement_terms WHERE id = :termsId`
)
/** The newest first. */
export const listTerms = statement<TermsRow, { partnerId: number }>(
  'settlement_terms_of_partner',
  `SELECT ${TERMS_COLUMNS} FROM settlement_terms WHERE partner_id = :partnerId ORDER BY valid_from DESC`
)

/**
 * Whether a closing balance is below the minimum payment. The cumulative closing balance is compared, not the amount due for
 * the period (`amountDue`). That it is carried over is only shown, on the statement's page and in the workbook: the opening
 * balance of the next period is the closing balance anyway, and a smaller payment is not refused.
 */
export const isCarriedOver = (closingTenge: bigint, { minPaymentTenge }: Terms) =>
  closingTenge !== 0n && abs(closingTenge) < minPaymentTenge

/** Whether the commission or the VAT on it is above what one person may agree on (`config/platform.ts`). */
export function hasHighRates({ commissionBp, vatBp }: Pick<Terms, 'commissionBp' | 'vatBp'>) {
  const limits = platform.singlePersonLimits
  return commissionBp > limits.commissionBp || vatBp > limits.vatBp
}

const ALL_BP = 10_000

/**
 * Refuses a `validFrom` that is no midnight, a `commissionBp` or `vatBp` outside 0 to 10,000, 100 % of both, and a `bin`
 * that is none.
 * Forms and the table's constraints check the other fields.
 */
export function assertTerms(terms: Terms) {
  if (!isMidnight(terms.validFrom))
    refuseField('validFrom', 'midnight', 'must be a midnight of the venues (UTC+5)')
  for (const field of ['commissionBp', 'vatBp'] as const)
    if (!Number.isInteger(terms[field]) || terms[field] < 0 || terms[field] > ALL_BP)
      refuseField(field, 'range', 'must be from 0 to 100 percent, in hundredths of a percent')
  if (terms.commissionBp === ALL_BP && terms.vatBp === ALL_BP)
    refuseField('commissionBp', 'range', 'must not be 100 percent together with 100 percent of VAT')
  if (terms.bin !== null && !isBin(terms.bin))
    refuseField('bin', 'format', 'must be 12 digits with the control digit of a BIN')
}
