import { lockAccount } from '#ledger/accounts'
import { allocateRest } from '#ledger/actions/allocate_credit'
import { insertMovement } from '#ledger/actions/insert_movement'
import { assertPaymentDay, assertReference } from '#ledger/payment_day'
import { findStatement } from '#ledger/queries/find_statement'
import { findItem } from '#ledger/queries/open_items'
import { askSecondPerson, type StoredInput } from '#ledger/settlement_requests'
import { countSingleAct, needsSecondPerson } from '#ledger/single_person_limits'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { sumTenge } from '#shared/sums'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface PaymentPart {
  statementId: number
  amountTenge: bigint
}

/** A bank payment as its document shows it. */
export interface BankPayment {
  /** The number of the bank's document, as it is written there. */
  bankReference: string
  /** The day on the bank's document, `YYYY-MM-DD`. */
  paidOn: string
  direction: 'from_partner' | 'to_partner'
  amountTenge: bigint
  /** How much of it is for which statement; what is beyond the open amount stays an open credit, as the rest does. */
  parts: PaymentPart[]
}

export interface RecordPaymentInput extends BankPayment {
  partnerCode: string
  actor: Actor
}

/** One of the two is null: a payment that waits for a second person is only requested. */
export interface RecordedPayment {
  paymentId: number | null
  requestId: number | null
}

/** No row when the same payment is recorded already. `reversesId` and `reason` only for what the bank took back. */
export const insertPayment = statement<
  { id: number },
  {
    partnerId: number
    bankReference: string
    paidOn: string
    direction: string
    amountTenge: bigint
    recordedBy: string
    approvedBy: string | null
    reversesId: number | null
    reason: string | null
  }
>(
  'settlement_payment_insert',
  `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by, approved_by, reverses_id, reason)
   VALUES (:partnerId, :bankReference, :paidOn::date, :direction, :amountTenge, :recordedBy, :approvedBy, :reversesId, :reason)
   ON CONFLICT DO NOTHING RETURNING id`
)

const selectRepeated = statement<
  { id: number; partnerId: number; partner: string; bankReference: string },
  { bankReference: string; paidOn: string; direction: string; amountTenge: bigint }
>(
  'settlement_payment_repeated',
  `SELECT y.id, y.partner_id AS "partnerId", p.code AS partner, y.bank_reference AS "bankReference" FROM settlement_payments y JOIN partners p ON p.id = y.partner_id
    WHERE y.direction = :direction AND y.paid_on = :paidOn::date AND y.amount_tenge = :amountTenge
      AND bank_payment_key(y.bank_reference) = bank_payment_key(:bankReference)
      AND payment_keeps_reference(y)`
)

/**
 * Records a bank payment: moves the balance by the day it was recorded, not `paidOn`, and puts it against the statements that it
 * is for, whatever their status: money arrives when it arrives. Only a withdrawn statement takes none.
 * Above what one person may pay in a day it is only requested (`single_person_limits.ts`).
 *
 * Example: 100,000 from the partner; SET-000001 has 70,000 to be paid, SET-000002 60,000.
 * Parts of 70,000 and 20,000 make the first one paid and the second part-paid (40,000 left); 10,000 stays an open credit.
 * One part of 100,000 for SET-000001 makes it overpaid: 70,000 is put against it, 30,000 stays an open credit.
 *
 * A payment is recorded once: direction, day, amount and normalised reference (`bank_payment_key` of migration 100) are
 * unique. The normalised reference has letters and digits only, in lower case and without №. Cyrillic letters that look like
 * Latin ones are these (А = A, Р = P, С = C), and П is P, because «ПП» is often typed PP. Zeros at the beginning of a number
 * count for nothing:
 *   ПП №17, PP-17, pp 17, пп17, ПП 000017   one payment
 *   PP 170, PP 17 of next year              other payments
 * Refuses PAYMENT_EXISTS, and PAYMENT_OF_ANOTHER_PARTNER: a bank payment belongs to one partner. One that is reversed can be
 * recorded once more, for any partner (`payment_keeps_reference` of migration 100).
 */
export default class RecordPayment {
  async handle({ partnerCode, actor, ...payment }: RecordPaymentInput): Promise<RecordedPayment> {
    const { amountTenge } = payment
    assertPayment(payment)
    return transaction(async (trx) => {
      const { partnerId } = await lockAccount(partnerCode, trx)
      await assertNew(partnerId, payment, trx)
      for (const part of payment.parts) await assertPayable(partnerId, payment.direction, part, trx)
      if (await needsSecondPerson('payment', amountTenge, actor, trx)) {
        const request = {
          partnerId,
          act: 'payment',
          input: toStored(payment),
          amountTenge,
        } as const
        return { paymentId: null, requestId: await askSecondPerson(request, actor, trx) }
      }
      const recorded = { recordedBy: actor.name, approvedBy: null, actor }
      const paymentId = await recordPaymentWithin(partnerId, payment, recorded, trx)
      const subject = `payment:${paymentId}`
      await countSingleAct('payment', { amountTenge, subject }, actor, trx)
      return { paymentId, requestId: null }
    })
  }
}

/** Who entered a payment, who approved it, and who of them acts now. */
export interface Recording {
  recordedBy: string
  approvedBy: string | null
  actor: Actor
}

/** Records a payment within a transaction that has locked the account. Checks everything again. */
export async function recordPaymentWithin(
  partnerId: number,
  payment: BankPayment,
  { recordedBy, approvedBy, actor }: Recording,
  trx: TransactionClientContract
): Promise<number> {
  assertPayment(payment)
  const { bankReference, paidOn, direction, amountTenge } = payment
  await assertNew(partnerId, payment, trx)
  const paid = await insertPayment.first(
    {
      partnerId,
      bankReference,
      paidOn,
      direction,
      amountTenge,
      recordedBy,
      approvedBy,
      reversesId: null,
      reason: null,
    },
    trx
  )
  // Two accounts are locked by two transactions: the index decides between them.
  if (!paid) return refuseRepeated(partnerId, payment, trx)
  const item = `payment:${paid.id}`
  const signed = signedPayment(direction, amountTenge)
  await insertMovement({ partnerId, kind: 'payment', signed, source: item }, trx)
  for (const part of payment.parts) await allocatePart(partnerId, item, part, actor, trx)
  const change = { bank_reference: bankReference, direction, amount_tenge: String(amountTenge) }
  const details = approvedBy === null ? change : { ...change, asked_by: recordedBy }
  await record('payment_recorded', details, { actor, partnerId }, trx)
  return paid.id
}

/** What a payment does to the balance: the partner owes us less, or more. */
export const signedPayment = (direction: BankPayment['direction'], amountTenge: bigint) =>
  direction === 'from_partner' ? -amountTenge : amountTenge

/** Refuses another partner's statement, a withdrawn one and the wrong direction. */
async function assertPayable(
  partnerId: number,
  direction: BankPayment['direction'],
  { statementId }: PaymentPart,
  trx: TransactionClientContract
) {
  const found = await findStatement(statementId, trx)
  if (found.partnerId !== partnerId) refuse('NO_SUCH', { what: 'statement of this partner' })
  if (found.status === 'superseded')
    refuse('STATUS_NOT_REACHABLE', { from: 'superseded', to: 'paid' })
  if (direction !== directionOf(found.dueTenge))
    refuseField('direction', 'direction', 'must be the direction of the amount due')
}

/** A statement that was withdrawn while the payment waited for a second person takes none of it. */
async function allocatePart(
  partnerId: number,
  payment: string,
  { statementId, amountTenge }: PaymentPart,
  actor: Actor,
  trx: TransactionClientContract
) {
  const statementItem = await findItem.first({ partnerId, item: `statement:${statementId}` }, trx)
  if (!statementItem) return
  const paymentItem = await findItem.one({ partnerId, item: payment }, trx)
  const limits = { partnerId, mostTenge: amountTenge, actor }
  await allocateRest(paymentItem, statementItem, limits, trx)
}

/** We pay for a period with more refunds than sales. */
const directionOf = (due: bigint) => (due < 0n ? 'to_partner' : 'from_partner')

function assertPayment({ amountTenge, bankReference, paidOn, parts }: BankPayment) {
  if (amountTenge <= 0n) refuseField('amountTenge', 'positive', 'must be more than nothing')
  assertReference(bankReference)
  assertPaymentDay(paidOn)
  const total = sumTenge(parts, (part) => part.amountTenge)
  const isRepeated = new Set(parts.map(({ statementId }) => statementId)).size < parts.length
  if (total > amountTenge || isRepeated || parts.some((part) => part.amountTenge <= 0n))
    refuseField('parts', 'sum', 'must pay different statements, and not more than was paid')
}

type PaymentKey = Pick<BankPayment, 'bankReference' | 'paidOn' | 'direction' | 'amountTenge'>

async function assertNew(partnerId: number, payment: PaymentKey, trx: TransactionClientContract) {
  const { bankReference, paidOn, direction, amountTenge } = payment
  const found = await selectRepeated.first({ bankReference, paidOn, direction, amountTenge }, trx)
  if (!found) return
  if (found.partnerId !== partnerId)
    refuse('PAYMENT_OF_ANOTHER_PARTNER', { partner: found.partner })
  refuse('PAYMENT_EXISTS', {
    payment_id: found.id,
    bank_reference: found.bankReference,
    paid_on: paidOn,
    amount_tenge: Number(amountTenge),
  })
}

/** Refuses a payment that another transaction has recorded meanwhile. */
export async function refuseRepeated(
  partnerId: number,
  payment: PaymentKey,
  trx: TransactionClientContract
): Promise<never> {
  await assertNew(partnerId, payment, trx)
  return refuse('ALREADY_EXISTS', { what: `payment ${payment.bankReference}` })
}

interface StoredPayment {
  bankReference: string
  paidOn: string
  direction: BankPayment['direction']
  amountTenge: string
  parts: { statementId: number; amountTenge: string }[]
}

const toStored = ({ bankReference, paidOn, direction, amountTenge, parts }: BankPayment) =>
  ({
    bankReference,
    paidOn,
    direction,
    amountTenge: String(amountTenge),
    parts: parts.map(({ statementId, amountTenge: part }) => ({
      statementId,
      amountTenge: String(part),
    })),
  }) satisfies StoredPayment

/** A requested payment as it was entered. */
export function fromStoredPayment(input: StoredInput): BankPayment {
  const stored = input as unknown as StoredPayment
  return {
    ...stored,
    amountTenge: BigInt(stored.amountTenge),
    parts: stored.parts.map((part) => ({ ...part, amountTenge: BigInt(part.amountTenge) })),
  }
}
