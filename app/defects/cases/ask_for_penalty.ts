import { requestMemoWithin } from '#ledger/actions/memos'
import { lockAccount } from '#ledger/accounts'
import { findPenalty } from '#defects/cases/find_penalty'
import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { transaction } from '#shared/transaction'

export interface AskForPenaltyInput {
  caseId: number
  reason: string
  actor: Actor
}

/**
 * Charges the penalty of the terms for a case of a confirm after the window, once a case and for none of its orders again: a
 * memo like any other, above the limit by two people. Refuses NO_PENALTY where the terms of that day have none or the rules
 * find no fault of the partner.
 */
export default class AskForPenalty {
  async handle({ caseId, reason, actor }: AskForPenaltyInput) {
    return transaction(async (trx) => {
      const { partnerCode } = await findPenalty(caseId, trx)
      const { partnerId } = await lockAccount(partnerCode, trx)
      // Asked once more: whoever held the account may have charged another case of the same orders.
      const { penaltyTenge: amountTenge, isAsked } = await findPenalty(caseId, trx)
      if (isAsked) refuse('ALREADY_EXISTS', { what: `penalty for case ${caseId}` })
      if (amountTenge === 0n) refuse('NO_PENALTY')
      const kind = 'penalty'
      return requestMemoWithin(
        partnerId,
        { kind, amountTenge, reason, origin: null, caseId, actor },
        trx
      )
    })
  }
}
