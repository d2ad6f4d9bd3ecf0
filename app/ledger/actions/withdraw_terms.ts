import { lockAccount } from '#ledger/accounts'
import { askSecondPerson, type StoredInput } from '#ledger/settlement_requests'
import { TERMS_COLUMNS, type TermsRow } from '#ledger/terms'
import type { Actor } from '#shared/actor'
import { MINUTE_MS } from '#shared/days'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface WithdrawTermsInput {
  partnerCode: string
  termsId: number
  reason: string
  actor: Actor
}

interface Withdrawal {
  partnerId: number
  termsId: number
  /** Null when other terms replace them. */
  reason: string | null
}

/** A sale of their first day must not find terms that are deleted by a transaction which began the day before. */
const LAST_MOMENT_MS = MINUTE_MS

const selectTerms = statement<TermsRow, { partnerId: number; termsId: number }>(
  'settlement_terms_to_withdraw',
  `SELECT ${TERMS_COLUMNS} FROM settlement_terms WHERE id = :termsId AND partner_id = :partnerId`
)
const deleteTerms = statement<object, { termsId: number }>(
  'settlement_terms_delete',
  'DELETE FROM settlement_terms WHERE id = :termsId'
)

/**
 * Withdraws terms before their first day; those before them go on. What a second person approved needs a second person again.
 * Refuses NO_SUCH, and TERMS_HAVE_BEGUN.
 */
export default class WithdrawTerms {
  async handle({ partnerCode, termsId, reason, actor }: WithdrawTermsInput) {
    return transaction(async (trx) => {
      const { partnerId } = await lockAccount(partnerCode, trx)
      if (await needsSecondToWithdraw(partnerId, termsId, trx)) {
        const input = { termsId, reason }
        const request = { partnerId, act: 'terms_withdrawal', input, amountTenge: 0n } as const
        return { isWithdrawn: false, requestId: await askSecondPerson(request, actor, trx) }
      }
      await deleteComingTerms({ partnerId, termsId, reason }, actor, trx)
      return { isWithdrawn: true, requestId: null }
    })
  }
}

/** Whether a second person has approved them: one person does not undo what two have decided. */
export async function needsSecondToWithdraw(
  partnerId: number,
  termsId: number,
  trx: TransactionClientContract
) {
  const { approvedBy } = await findComingTerms(partnerId, termsId, trx)
  return approvedBy !== null
}

/** Within a transaction that has locked the account. The journal keeps them. */
export async function deleteComingTerms(
  { partnerId, termsId, reason }: Withdrawal,
  actor: Actor,
  trx: TransactionClientContract
) {
  const { id, validFrom, minPaymentTenge, penaltyTenge, ...terms } = await findComingTerms(
    partnerId,
    termsId,
    trx
  )
  await deleteTerms({ termsId: id }, trx)
  const change = {
    ...terms,
    validFrom: validFrom.toISOString(),
    minPaymentTenge: String(minPaymentTenge),
    penaltyTenge: String(penaltyTenge),
    reason,
  }
  await record('settlement_terms_withdrawn', change, { actor, partnerId }, trx)
}

async function findComingTerms(partnerId: number, termsId: number, trx: TransactionClientContract) {
  const found = await selectTerms.first({ partnerId, termsId }, trx)
  if (!found) refuse('NO_SUCH', { what: 'terms of this partner' })
  if (found.validFrom.getTime() - LAST_MOMENT_MS <= Date.now()) refuse('TERMS_HAVE_BEGUN')
  return found
}

/** A requested withdrawal as it was entered. */
export const fromStoredWithdrawal = (input: StoredInput) =>
  input as { termsId: number; reason: string }
