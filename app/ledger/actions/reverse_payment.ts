import { lockAccountById } from '#ledger/accounts'
import { allocateRest, undoAllocationsOf } from '#ledger/actions/allocate_credit'
import { insertMovement } from '#ledger/actions/insert_movement'
import {
  insertPayment,
  refuseRepeated,
  signedPayment,
  type BankPayment,
  type Recording,
} from '#ledger/actions/record_payment'
import { assertPaymentDay, assertReference } from '#ledger/payment_day'
import { findItem } from '#ledger/queries/open_items'
import { askSecondPerson, type StoredInput } from '#ledger/settlement_requests'
import { countSingleAct, needsSecondPerson } from '#ledger/single_person_limits'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** What the bank's document says that takes a payment back. */
export interface PaymentReversal {
  paymentId: number
  bankReference: string
  /** The day on the bank's document, `YYYY-MM-DD`. */
  paidOn: string
  reason: string
}

interface StoredPayment {
  id: number
  partnerId: number
  bankReference: string
  paidOn: string
  direction: 'from_partner' | 'to_partner'
  amountTenge: bigint
  approvedBy: string | null
  reversesId: number | null
  isReversed: boolean
}

const selectPayment = statement<StoredPayment, { paymentId: number }>(
  'settlement_payment_to_reverse',
  `SELECT y.id, y.partner_id AS "partnerId", y.bank_reference AS "bankReference", y.paid_on::text AS "paidOn", y.direction,
          y.amount_tenge AS "amountTenge", y.approved_by AS "approvedBy", y.reverses_id AS "reversesId",
          EXISTS (SELECT 1 FROM settlement_payments back WHERE back.reverses_id = y.id) AS "isReversed"
     FROM settlement_payments y WHERE y.id = :paymentId`
)

/**
 * Records that the bank took a payment back: a payment of its own in the other direction, with a reason. What the payment was
 * put against is open again. The payment's own row stays as it is. A second person is needed as for payments, and for what a
 * second person has approved. Refuses NO_SUCH, also for a reversal, ALREADY_EXISTS once it is reversed, and
 * PAYMENT_EXISTS when its own document is recorded.
 *
 * Example: ПП-17 of 100,000 paid SET-000001.
 *   reversed   SET-000001 has 100,000 open again; ПП-17 and its reversal are put against each other
 */
export default class ReversePayment {
  async handle({ actor, ...reversal }: PaymentReversal & { actor: Actor }) {
    const { partnerId } = await findReversible(reversal.paymentId)
    return transaction(async (trx) => {
      await lockAccountById(partnerId, trx)
      const { amountTenge, approvedBy } = await assertReversible(reversal, trx)
      const needsSecond =
        approvedBy !== null || (await needsSecondPerson('payment', amountTenge, actor, trx))
      if (needsSecond) {
        const input = { ...reversal }
        const request = { partnerId, act: 'payment_reversal', input, amountTenge } as const
        return { reversalId: null, requestId: await askSecondPerson(request, actor, trx) }
      }
      const recording = { recordedBy: actor.name, approvedBy: null, actor }
      const reversalId = await reversePaymentWithin(partnerId, reversal, recording, trx)
      const subject = `payment:${reversalId}`
      await countSingleAct('payment', { amountTenge, subject }, actor, trx)
      return { reversalId, requestId: null }
    })
  }
}

/** Within a transaction that has locked the account. Checks everything again. */
export async function reversePaymentWithin(
  partnerId: number,
  reversal: PaymentReversal,
  { recordedBy, approvedBy, actor }: Recording,
  trx: TransactionClientContract
): Promise<number> {
  const payment = await assertReversible(reversal, trx)
  const { bankReference, paidOn, reason } = reversal
  const { amountTenge } = payment
  const direction: BankPayment['direction'] =
    payment.direction === 'from_partner' ? 'to_partner' : 'from_partner'
  const row = { partnerId, bankReference, paidOn, direction, amountTenge, recordedBy, approvedBy }
  const back = await insertPayment.first({ ...row, reversesId: payment.id, reason }, trx)
  if (!back) return refuseRepeated(partnerId, row, trx)
  const [item, reversed] = [`payment:${back.id}`, `payment:${payment.id}`]
  const signed = signedPayment(direction, amountTenge)
  await insertMovement({ partnerId, kind: 'payment', signed, source: item }, trx)
  await undoAllocationsOf({ partnerId, item: reversed, reason }, actor, trx)
  await allocateRest(
    await findItem.one({ partnerId, item: reversed }, trx),
    await findItem.one({ partnerId, item }, trx),
    { partnerId, mostTenge: amountTenge, actor },
    trx
  )
  const change = {
    bank_reference: bankReference,
    reverses: payment.bankReference,
    direction,
    amount_tenge: String(amountTenge),
    reason,
  }
  const details = approvedBy === null ? change : { ...change, asked_by: recordedBy }
  await record('payment_reversed', details, { actor, partnerId }, trx)
  return back.id
}

async function findReversible(paymentId: number, trx?: TransactionClientContract) {
  const found = await selectPayment.first({ paymentId }, trx)
  if (!found || found.reversesId !== null) refuse('NO_SUCH', { what: 'payment to be reversed' })
  return found
}

async function assertReversible(
  { paymentId, bankReference, paidOn }: PaymentReversal,
  trx: TransactionClientContract
) {
  const found = await findReversible(paymentId, trx)
  if (found.isReversed) refuse('ALREADY_EXISTS', { what: `reversal of ${found.bankReference}` })
  assertReference(bankReference)
  assertPaymentDay(paidOn)
  if (paidOn < found.paidOn)
    refuseField('paidOn', 'after_payment', 'must not be before the day of the payment')
  return found
}

/** A requested reversal as it was entered. */
export const fromStoredReversal = (input: StoredInput) => input as unknown as PaymentReversal
