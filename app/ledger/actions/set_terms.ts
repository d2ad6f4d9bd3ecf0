import { lockAccount } from '#ledger/queries/accounts'
import { completeCharges } from '#ledger/queries/complete_charges'
import { assertTerms, type Terms } from '#ledger/terms'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { takeTime } from '#shared/patience'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface SetTermsInput extends Terms {
  partnerCode: string
  actor: Actor
}

const insertTerms = statement<{ id: number }>(
  'settlement_terms_insert',
  `INSERT INTO settlement_terms
     (partner_id, valid_from, period, commission_bp, vat_bp, rounding, grace_minutes, dispute_days, silence_agrees,
      min_payment_tenge, refund_evidence_days, allows_combined_payments, legal_name, bin, contract_number, contract_date, penalty_tenge,
      set_by)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16::date, $17, $18)
   ON CONFLICT (partner_id, valid_from) DO NOTHING RETURNING id`
)
const agreeOnFirst = statement<{ id: number }>(
  'settlement_terms_agree_on_first',
  `UPDATE settlement_terms SET period = $3, commission_bp = $4, vat_bp = $5, rounding = $6, grace_minutes = $7,
          dispute_days = $8, silence_agrees = $9, min_payment_tenge = $10, refund_evidence_days = $11,
          allows_combined_payments = $12, legal_name = $13, bin = $14, contract_number = $15, contract_date = $16::date,
          penalty_tenge = $17, set_by = $18
    WHERE partner_id = $1 AND valid_from = $2 AND set_by IS NULL RETURNING id`
)

/** When a partner's first terms begin: earlier than anything. */
export const BEGINNING = new Date('2000-01-01T00:00:00+05:00')

/**
 * Terms from a midnight to come on; what was sold before keeps its own. A partner's first terms (`BEGINNING`) are agreed on
 * once, and hold for all that was sold until then.
 */
export default class SetTerms {
  async handle({ partnerCode, actor, ...terms }: SetTermsInput): Promise<{ termsId: number }> {
    assertTerms(terms)
    return transaction(async (trx) => {
      await takeTime(trx)
      const { partnerId } = await lockAccount(partnerCode, trx)
      const values = [partnerId, ...columns(terms), actor.name]
      const isFirst = terms.validFrom.getTime() === BEGINNING.getTime()
      if (!isFirst && terms.validFrom.getTime() <= Date.now())
        refuseField('validFrom', 'future', 'must be to come: what was sold keeps its terms')
      const set = await (isFirst ? agreeOnFirst : insertTerms).first(values, trx)
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

const columns = (terms: Terms) => [
  ...[terms.validFrom, terms.period, terms.commissionBp, terms.vatBp, terms.rounding],
  ...[terms.graceMinutes, terms.disputeDays, terms.silenceAgrees, terms.minPaymentTenge],
  ...[terms.refundEvidenceDays, terms.allowsCombinedPayments, terms.legalName, terms.bin],
  ...[terms.contractNumber, terms.contractDate, terms.penaltyTenge],
]
