import { transitionStatement } from '#ledger/actions/change_statement_status'
import { amountDue } from '#ledger/movements'
import { lockAccount } from '#ledger/accounts'
import { insertMovement } from '#ledger/actions/insert_movement'
import { assertPaymentDay } from '#ledger/payment_day'
import { lockStatement } from '#ledger/queries/find_statement'
import { askSecondPerson, type StoredInput } from '#ledger/settlement_requests'
import { countSingleAct, needsSecondPerson } from '#ledger/single_person_limits'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { sumTenge } from '#shared/sums'
import { magnitude } from '#shared/tenge'
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
  /** How much of it pays which statement; the rest stays on the account. */
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

const insertPayment = statement<
  { id: number },
  {
    partnerId: number
    bankReference: string
    paidOn: string
    direction: string
    amountTenge: bigint
    recordedBy: string
    approvedBy: string | null
  }
>(
  'settlement_payment_insert',
  `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by, approved_by)
   VALUES (:partnerId, :bankReference, :paidOn::date, :direction, :amountTenge, :recordedBy, :approvedBy)
   ON CONFLICT DO NOTHING RETURNING id`
)
const selectRepeated = statement<
  { partnerId: number; partner: string },
  { bankReference: string; paidOn: string; direction: string; amountTenge: bigint }
>(
  'settlement_payment_repeated',
  `SELECT y.partner_id AS "partnerId", p.code AS partner FROM settlement_payments y JOIN partners p ON p.id = y.partner_id
    WHERE y.direction = :direction AND y.paid_on = :paidOn::date AND y.amount_tenge = :amountTenge
      AND y.reference_key = payment_reference_key(:bankReference) AND y.duplicate_of_id IS NULL`
)
const insertPart = statement<
  object,
  { paymentId: number; statementId: number; amountTenge: bigint }
>(
  'settlement_payment_part_insert',
  'INSERT INTO settlement_payment_parts (payment_id, statement_id, amount_tenge) VALUES (:paymentId, :statementId, :amountTenge)'
)

/**
 * Records a bank payment: moves the balance by the day it was recorded, not `paidOn`, and marks the statements that it pays.
 * Above what one person may pay in a day it is only requested (`single_person_limits.ts`).
 *
 * Example: 100,000 from the partner; SET-000001 has 70,000 to be paid, SET-000002 60,000.
 * Parts of 70,000 and 20,000 make the first one paid and the second part-paid (40,000 left);
 * 10,000 stays on the account.
 *
 * A payment is recorded once: direction, day, amount and normalised reference (`payment_reference_key` of migration 21) are
 * unique. The normalised reference has letters and digits only, in lower case and without №; zeros count. Cyrillic letters
 * that look like Latin ones are these (А = A, Р = P, С = C), and П is P, because «ПП» is often typed PP:
 *   ПП №17, PP-17, pp 17, пп17   one payment
 *   PP 017, PP 17 of next year   other payments
 * Refuses ALREADY_EXISTS, and PAYMENT_OF_ANOTHER_PARTNER: a bank payment belongs to one partner.
 */
export default class RecordPayment {
  async handle({ partnerCode, actor, ...payment }: RecordPaymentInput): Promise<RecordedPayment> {
    const { amountTenge } = payment
    assertPayment(payment)
    return transaction(async (trx) => {
      const { partnerId } = await lockAccount(partnerCode, trx)
      await assertNew(partnerId, payment, trx)
      for (const part of payment.parts) await lockPayable(partnerId, payment.direction, part, trx)
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
interface Recording {
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
  const paid = await insertPayment.first(
    { partnerId, bankReference, paidOn, direction, amountTenge, recordedBy, approvedBy },
    trx
  )
  // Two accounts are locked by two transactions: the index decides between them.
  if (!paid) return refuseRepeated(partnerId, payment, trx)
  const signed = direction === 'from_partner' ? -amountTenge : amountTenge
  await insertMovement({ partnerId, kind: 'payment', signed, source: `payment:${paid.id}` }, trx)
  for (const part of payment.parts) await payPart(partnerId, paid.id, direction, part, actor, trx)
  const change = { bank_reference: bankReference, direction, amount_tenge: String(amountTenge) }
  const details = approvedBy === null ? change : { ...change, asked_by: recordedBy }
  await record('payment_recorded', details, { actor, partnerId }, trx)
  return paid.id
}

/** A statement to be paid, locked, and what is unpaid of it. Refuses another partner's, the wrong direction and too much. */
async function lockPayable(
  partnerId: number,
  direction: BankPayment['direction'],
  { statementId, amountTenge }: PaymentPart,
  trx: TransactionClientContract
) {
  const found = await lockStatement(statementId, trx)
  if (found.partnerId !== partnerId) refuse('NO_SUCH', { what: 'statement of this partner' })
  const due = amountDue(found.totals)
  if (direction !== directionOf(due))
    refuseField('direction', 'direction', 'must be the direction of the amount due')
  const unpaid = magnitude(due) - magnitude(found.paidTenge)
  // A statement that is already paid is refused by the state table.
  if (unpaid > 0n && amountTenge > unpaid)
    refuseField('parts', 'sum', 'must not exceed the unpaid amount of the statement')
  return { found, unpaid }
}

async function payPart(
  partnerId: number,
  paymentId: number,
  direction: BankPayment['direction'],
  part: PaymentPart,
  actor: Actor,
  trx: TransactionClientContract
) {
  const { statementId, amountTenge } = part
  const { found, unpaid } = await lockPayable(partnerId, direction, part, trx)
  await insertPart({ paymentId, statementId, amountTenge }, trx)
  await transitionStatement(found, amountTenge === unpaid ? 'payAll' : 'pay', null, actor, trx)
}

/** We pay for a period with more refunds than sales. */
const directionOf = (due: bigint) => (due < 0n ? 'to_partner' : 'from_partner')

const LETTER_OR_DIGIT = /[0-9a-zа-яёәғқңөұүһі]/iu

function assertPayment({ amountTenge, bankReference, paidOn, parts }: BankPayment) {
  if (amountTenge <= 0n) refuseField('amountTenge', 'positive', 'must be more than nothing')
  if (!LETTER_OR_DIGIT.test(bankReference))
    refuseField('bankReference', 'format', 'must have a letter or a digit')
  assertPaymentDay(paidOn)
  const total = sumTenge(parts, (part) => part.amountTenge)
  const isRepeated = new Set(parts.map(({ statementId }) => statementId)).size < parts.length
  if (total > amountTenge || isRepeated || parts.some((part) => part.amountTenge <= 0n))
    refuseField('parts', 'sum', 'must pay different statements, and not more than was paid')
}

async function assertNew(partnerId: number, payment: BankPayment, trx: TransactionClientContract) {
  const { bankReference, paidOn, direction, amountTenge } = payment
  const found = await selectRepeated.first({ bankReference, paidOn, direction, amountTenge }, trx)
  if (!found) return
  if (found.partnerId !== partnerId)
    refuse('PAYMENT_OF_ANOTHER_PARTNER', { partner: found.partner })
  refuse('ALREADY_EXISTS', { what: `payment ${bankReference}` })
}

async function refuseRepeated(
  partnerId: number,
  payment: BankPayment,
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
