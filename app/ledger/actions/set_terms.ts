import { lockAccount } from '#ledger/accounts'
import { completeCharges } from '#ledger/actions/complete_charges'
import { assertTerms, type Terms } from '#ledger/terms'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { allowLongQueries } from '#shared/long_queries'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface SetTermsInput extends Terms {
  partnerCode: string
  actor: Actor
}

type NewTerms = Terms & { partnerId: number; setBy: string }

const insertTerms = statement<{ id: number }, NewTerms>(
  'settlement_terms_insert',
  `INSERT INTO settlement_terms
     (partner_id, valid_from, period, commission_bp, vat_bp, rounding, grace_minutes, dispute_days, silence_agrees,
      min_payment_tenge, refund_evidence_days, allows_combined_payments, legal_name, bin, contract_number, contract_date, penalty_tenge,
      set_by)
   VALUES (:partnerId, :validFrom, :period, :commissionBp, :vatBp, :rounding, :graceMinutes, :disputeDays, :silenceAgrees, :minPaymentTenge, :refundEvidenceDays, :allowsCombinedPayments, :legalName, :bin, :contractNumber, :contractDate::date, :penaltyTenge, :setBy)
   ON CONFLICT (partner_id, valid_from) DO NOTHING RETURNING id`
)
const updateFirstTerms = statement<{ id: number }, NewTerms>(
  'settlement_terms_agree_on_first',
  `UPDATE settlement_terms SET period = :period, commission_bp = :commissionBp, vat_bp = :vatBp, rounding = :rounding, grace_minutes = :graceMinutes,
          dispute_days = :disputeDays, silence_agrees = :silenceAgrees, min_payment_tenge = :minPaymentTenge, refund_evidence_days = :refundEvidenceDays,
          allows_combined_payments = :allowsCombinedPayments, legal_name = :legalName, bin = :bin, contract_number = :contractNumber, contract_date = :contractDate::date,
          penalty_tenge = :penaltyTenge, set_by = :setBy
    WHERE partner_id = :partnerId AND valid_from = :validFrom AND set_by IS NULL RETURNING id`
)

/**
 * The beginning of a partner's first terms: the year 2000, before any sale, so that every sale has terms. Their row is written
 * with the partner, by the trigger `open_account`: without commission, and with `set_by` NULL until somebody sets them. Setting
 * them is therefore an UPDATE, possible once; all later terms are INSERTs. No period is closed before (TERMS_NOT_SET).
 */
export const FIRST_TERMS_FROM = new Date('2000-01-01T00:00:00+05:00')

/**
 * Sets terms that begin at a future midnight; earlier sales keep their own. A partner's first terms (`FIRST_TERMS_FROM`)
 * are set once and apply to all earlier sales. Refuses ALREADY_EXISTS, or a field that is out of range.
 */
export default class SetTerms {
  async handle({ partnerCode, actor, ...terms }: SetTermsInput): Promise<{ termsId: number }> {
    assertTerms(terms)
    return transaction(async (trx) => {
      await allowLongQueries(trx)
      const { partnerId } = await lockAccount(partnerCode, trx)
      const isFirst = terms.validFrom.getTime() === FIRST_TERMS_FROM.getTime()
      if (!isFirst && terms.validFrom.getTime() <= Date.now())
        refuseField('validFrom', 'future', 'must be in the future: earlier sales keep their terms')
      const set = await (isFirst ? updateFirstTerms : insertTerms).first(
        { ...terms, partnerId, setBy: actor.name },
        trx
      )
      if (!set) refuse('ALREADY_EXISTS', { what: 'terms from that day' })
      if (isFirst) await completeCharges(partnerId, trx)
      const { minPaymentTenge, penaltyTenge } = terms
      const sums = { minPaymentTenge: String(minPaymentTenge), penaltyTenge: String(penaltyTenge) }
      const change = { ...terms, ...sums, validFrom: terms.validFrom.toISOString() }
      await record('settlement_terms_set', change, { actor, partnerId }, trx)
      return { termsId: set.id }
    })
  }
}
