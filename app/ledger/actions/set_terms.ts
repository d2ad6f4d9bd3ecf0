import { lockAccount } from '#ledger/accounts'
import { completeCharges } from '#ledger/actions/complete_charges'
import { deleteComingTerms, needsSecondToWithdraw } from '#ledger/actions/withdraw_terms'
import { askSecondPerson, type StoredInput } from '#ledger/settlement_requests'
import { assertTerms, FIRST_TERMS_FROM, hasHighRates, type Terms } from '#ledger/terms'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { allowLongQueries } from '#shared/long_queries'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** What is agreed on; `replacesId` names terms that have not begun, which it replaces. */
export interface TermsAgreement extends Terms {
  replacesId?: number | null
}

export interface SetTermsInput extends TermsAgreement {
  partnerCode: string
  /** Whether somebody has confirmed rates that are unusually high (`hasHighRates`). */
  isConfirmed?: boolean
  actor: Actor
}

/** One of the two is null: terms that wait for a second person are only requested. */
export interface SetTermsResult {
  termsId: number | null
  requestId: number | null
}

type NewTerms = Terms & { partnerId: number; setBy: string; approvedBy: string | null }

const insertTerms = statement<{ id: number }, NewTerms>(
  'settlement_terms_insert',
  `INSERT INTO settlement_terms
     (partner_id, valid_from, period, commission_bp, vat_bp, rounding, grace_minutes, dispute_days, silence_agrees,
      min_payment_tenge, refund_evidence_days, allows_combined_payments, legal_name, bin, contract_number, contract_date, signatory, penalty_tenge,
      used_tickets_of_cancelled_events, payment_days, set_by, approved_by)
   VALUES (:partnerId, :validFrom, :period, :commissionBp, :vatBp, :rounding, :graceMinutes, :disputeDays, :silenceAgrees, :minPaymentTenge, :refundEvidenceDays, :allowsCombinedPayments, :legalName, :bin, :contractNumber, :contractDate::date, :signatory, :penaltyTenge,
      :usedTicketsOfCancelledEvents, :paymentDays, :setBy, :approvedBy)
   ON CONFLICT (partner_id, valid_from) DO NOTHING RETURNING id`
)
const updateFirstTerms = statement<{ id: number }, NewTerms>(
  'settlement_terms_agree_on_first',
  `UPDATE settlement_terms SET period = :period, commission_bp = :commissionBp, vat_bp = :vatBp, rounding = :rounding, grace_minutes = :graceMinutes,
          dispute_days = :disputeDays, silence_agrees = :silenceAgrees, min_payment_tenge = :minPaymentTenge, refund_evidence_days = :refundEvidenceDays,
          allows_combined_payments = :allowsCombinedPayments, legal_name = :legalName, bin = :bin, contract_number = :contractNumber, contract_date = :contractDate::date,
          signatory = :signatory, penalty_tenge = :penaltyTenge,
          used_tickets_of_cancelled_events = :usedTicketsOfCancelledEvents, payment_days = :paymentDays, set_by = :setBy, approved_by = :approvedBy
    WHERE partner_id = :partnerId AND valid_from = :validFrom AND set_by IS NULL RETURNING id`
)
/** Whether any terms of the partner have been agreed on. */
const selectIsAgreed = statement<{ isAgreed: boolean }, { partnerId: number }>(
  'settlement_terms_agreed',
  'SELECT EXISTS (SELECT 1 FROM settlement_terms WHERE partner_id = :partnerId AND set_by IS NOT NULL) AS "isAgreed"'
)
/** What was sold and not returned by now, in no statement yet. */
const sumOpenSales = statement<{ tenge: bigint }, { partnerId: number }>(
  'settlement_open_sales',
  `SELECT coalesce(sum(amount_tenge), 0)::bigint AS tenge FROM ledger_movements
    WHERE partner_id = :partnerId AND statement_id IS NULL AND kind IN ('sale', 'refund', 'event_cancel', 'platform_void')`
)

/**
 * Sets terms that begin at a future midnight; earlier sales keep their own. A partner's first terms (`FIRST_TERMS_FROM`)
 * are set once and apply to all earlier sales. Refuses ALREADY_EXISTS, or a field that is out of range.
 *
 * A second person is needed for a partner's first terms, which price all that he has sold and will sell, whatever day they begin on,
 * for high rates, and for replacing terms that a second person has approved.
 *
 * Example: the limits are 50 % and 30 %.
 *   7.5 %, VAT 16 %, first                   second person, who sees that 2,000,000 sold so far are charged 174,000
 *   7.5 %, VAT 16 %, from next month         alone
 *   60 %, VAT 16 %, from next month          confirmation and second person
 *   100 %, VAT 100 %                         refused
 */
export default class SetTerms {
  async handle(input: SetTermsInput): Promise<SetTermsResult> {
    const { partnerCode, actor, isConfirmed, ...terms } = input
    assertTerms(terms)
    if (hasHighRates(terms) && !isConfirmed)
      refuseField('isConfirmed', 'required', 'must be confirmed: the rates are unusually high')
    return transaction(async (trx) => {
      await allowLongQueries(trx)
      const { partnerId } = await lockAccount(partnerCode, trx)
      assertComing(terms)
      const { isAgreed } = await selectIsAgreed.one({ partnerId }, trx)
      if (isFirst(terms) && isAgreed) refuse('ALREADY_EXISTS', { what: 'terms from that day' })
      const isReplacing = typeof terms.replacesId === 'number'
      const needsSecond =
        !isAgreed ||
        hasHighRates(terms) ||
        (isReplacing && (await needsSecondToWithdraw(partnerId, terms.replacesId!, trx)))
      if (needsSecond) {
        const amountTenge = await chargedAtOnce(partnerId, terms, trx)
        const request = { partnerId, act: 'terms', input: toStored(terms), amountTenge } as const
        return { termsId: null, requestId: await askSecondPerson(request, actor, trx) }
      }
      const agreement = { setBy: actor.name, approvedBy: null, actor }
      const termsId = await agreeOnTermsWithin(partnerId, terms, agreement, trx)
      return { termsId, requestId: null }
    })
  }
}

/** Who set terms, who approved them, and who of them acts now. */
interface Agreement {
  setBy: string
  approvedBy: string | null
  actor: Actor
}

/** Sets terms within a transaction that has locked the account. Checks everything again. */
export async function agreeOnTermsWithin(
  partnerId: number,
  { replacesId = null, ...terms }: TermsAgreement,
  { setBy, approvedBy, actor }: Agreement,
  trx: TransactionClientContract
): Promise<number> {
  assertTerms(terms)
  assertComing(terms)
  if (replacesId !== null)
    await deleteComingTerms({ partnerId, termsId: replacesId, reason: null }, actor, trx)
  const set = await (isFirst(terms) ? updateFirstTerms : insertTerms).first(
    { ...terms, partnerId, setBy, approvedBy },
    trx
  )
  if (!set) refuse('ALREADY_EXISTS', { what: 'terms from that day' })
  if (isFirst(terms)) await completeCharges(partnerId, trx)
  const change = { ...toStored(terms), ...(approvedBy === null ? {} : { asked_by: setBy }) }
  await record('settlement_terms_set', change, { actor, partnerId }, trx)
  return set.id
}

const isFirst = ({ validFrom }: Terms) => validFrom.getTime() === FIRST_TERMS_FROM.getTime()

function assertComing(terms: Terms) {
  if (!isFirst(terms) && terms.validFrom.getTime() <= Date.now())
    refuseField('validFrom', 'future', 'must be in the future: earlier sales keep their terms')
}

/** Commission and VAT that first terms charge for what was sold before, rounded; later terms charge nothing at once. */
async function chargedAtOnce(partnerId: number, terms: Terms, trx: TransactionClientContract) {
  if (!isFirst(terms)) return 0n
  const { tenge } = await sumOpenSales.one({ partnerId }, trx)
  const commission = (tenge * BigInt(terms.commissionBp)) / 10_000n
  return commission + (commission * BigInt(terms.vatBp)) / 10_000n
}

const toStored = (terms: TermsAgreement) => ({
  ...terms,
  validFrom: terms.validFrom.toISOString(),
  minPaymentTenge: String(terms.minPaymentTenge),
  penaltyTenge: String(terms.penaltyTenge),
})

/** Requested terms as they were entered. */
export function fromStoredTerms(input: StoredInput): TermsAgreement {
  const stored = input as unknown as ReturnType<typeof toStored>
  return {
    ...stored,
    validFrom: new Date(stored.validFrom),
    minPaymentTenge: BigInt(stored.minPaymentTenge),
    penaltyTenge: BigInt(stored.penaltyTenge),
    // Requests of before these fields have none.
    signatory: stored.signatory ?? null,
    usedTicketsOfCancelledEvents: stored.usedTicketsOfCancelledEvents ?? 'keep',
    paymentDays: stored.paymentDays ?? null,
  }
}
