import { requestMemoWithin } from '#ledger/actions/memos'
import { lockAccount } from '#ledger/accounts'
import { findPenalty } from '#penalties/find_penalty'
import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { transaction } from '#shared/transaction'

export interface AskForPenaltyInput {
  caseId: number
  reason: string
  actor: Actor
}

/**
 * Requests a memo with the penalty of the terms for a late confirm: once per case and order, and again after it was taken back.
 * Above the limit a second person approves it. Refuses ALREADY_EXISTS, and NO_PENALTY where that day's terms have none or the
 * partner is not at fault.
 */
export default class AskForPenalty {
  async handle({ caseId, reason, actor }: AskForPenaltyInput) {
    return transaction(async (trx) => {
      const { partnerCode } = await findPenalty(caseId, trx)
      const { partnerId } = await lockAccount(partnerCode, trx)
      // Read again under the lock: another case of the same orders may have been charged meanwhile.
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
