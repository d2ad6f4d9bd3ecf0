import { lockAccount } from '#ledger/accounts'
import { fromStoredPayment, recordPaymentWithin } from '#ledger/actions/record_payment'
import { fromStoredReversal, reversePaymentWithin } from '#ledger/actions/reverse_payment'
import { agreeOnTermsWithin, fromStoredTerms } from '#ledger/actions/set_terms'
import { deleteComingTerms, fromStoredWithdrawal } from '#ledger/actions/withdraw_terms'
import {
  lockOpenRequest,
  partnerCodeOfRequest,
  requestEntry,
  setRequestOutcome,
  type RequestAct,
  type SettlementRequest,
} from '#ledger/settlement_requests'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { allowLongQueries } from '#shared/long_queries'
import { transaction } from '#shared/transaction'
import { checkSecondPerson, refuseLinked } from '#staff/second_person'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

type Perform = (
  request: SettlementRequest,
  actor: Actor,
  trx: TransactionClientContract
) => Promise<unknown>

const PERFORM: Record<RequestAct, Perform> = {
  payment: ({ partnerId, input, askedBy }, actor, trx) => {
    const recording = { recordedBy: askedBy, approvedBy: actor.name, actor }
    return recordPaymentWithin(partnerId, fromStoredPayment(input), recording, trx)
  },
  payment_reversal: ({ partnerId, input, askedBy }, actor, trx) => {
    const recording = { recordedBy: askedBy, approvedBy: actor.name, actor }
    return reversePaymentWithin(partnerId, fromStoredReversal(input), recording, trx)
  },
  terms: ({ partnerId, input, askedBy }, actor, trx) => {
    const agreement = { setBy: askedBy, approvedBy: actor.name, actor }
    return agreeOnTermsWithin(partnerId, fromStoredTerms(input), agreement, trx)
  },
  terms_withdrawal: ({ partnerId, input }, actor, trx) => {
    const withdrawal = { partnerId, ...fromStoredWithdrawal(input) }
    return deleteComingTerms(withdrawal, actor, trx)
  },
}

/** Does what was requested, after checking it again. Refuses whoever is no independent second person. */
export class ApproveRequest {
  async handle({ requestId, actor }: { requestId: number; actor: Actor }) {
    const partnerCode = await partnerCodeOfRequest(requestId)
    const link = await transaction(async (trx) => {
      await allowLongQueries(trx)
      const { partnerId } = await lockAccount(partnerCode, trx)
      const request = await lockOpenRequest(requestId, trx)
      const { askedBy } = request
      const linked = await checkSecondPerson({ askedBy, actor, partnerId }, trx)
      if (linked) return linked
      await setRequestOutcome({ requestId, outcome: 'approved', actor: actor.name }, trx)
      await PERFORM[request.act](request, actor, trx)
      return null
    })
    // Outside the transaction: a refusal within would roll back the journal's record of the attempt.
    if (link) refuseLinked(link)
  }
}

/** Declines a request, also one's own; nothing moves. Refuses REQUEST_NOT_OPEN once it is decided. */
export class DeclineRequest {
  async handle({ requestId, note, actor }: { requestId: number; note: string; actor: Actor }) {
    await transaction(async (trx) => {
      const request = await lockOpenRequest(requestId, trx)
      const { partnerId } = request
      await setRequestOutcome({ requestId, outcome: 'declined', actor: actor.name }, trx)
      const change = { ...requestEntry(request), note }
      await record('settlement_request_declined', change, { actor, partnerId }, trx)
    })
  }
}
