import { transitionStatement } from '#ledger/actions/change_statement_status'
import { amountDue } from '#ledger/movements'
import { lockAccount } from '#ledger/accounts'
import { insertMovement } from '#ledger/actions/insert_movement'
import { lockStatement } from '#ledger/queries/find_statement'
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

export interface RecordPaymentInput {
  partnerCode: string
  /** The bank's reference; a repeated one is refused. */
  bankReference: string
  /** The day on the bank's document, `YYYY-MM-DD`. */
  paidOn: string
  direction: 'from_partner' | 'to_partner'
  amountTenge: bigint
  /** How much of it pays which statement; the rest stays on the account. */
  parts: PaymentPart[]
  actor: Actor
}

const insertPayment = statement<
  { id: number },
  {
    partnerId: number
    bankReference: string
    paidOn: string
    direction: string
    amountTenge: bigint
    actor: string
  }
>(
  'settlement_payment_insert',
  `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by)
   VALUES (:partnerId, :bankReference, :paidOn::date, :direction, :amountTenge, :actor) ON CONFLICT (partner_id, bank_reference) DO NOTHING RETURNING id`
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
 *
 * Example: 100,000 from the partner; SET-000001 has 70,000 to be paid, SET-000002 60,000.
 * Parts of 70,000 and 20,000 make the first one paid and the second part-paid (40,000 left);
 * 10,000 stays on the account.
 */
export default class RecordPayment {
  async handle(input: RecordPaymentInput): Promise<{ paymentId: number }> {
    const { amountTenge, bankReference, direction, actor } = input
    assertParts(input)
    return transaction(async (trx) => {
      const { partnerId } = await lockAccount(input.partnerCode, trx)
      const paid = await insertPayment.first(
        {
          partnerId,
          bankReference,
          paidOn: input.paidOn,
          direction,
          amountTenge,
          actor: actor.name,
        },
        trx
      )
      if (!paid) refuse('ALREADY_EXISTS', { what: `payment ${bankReference}` })
      const signed = direction === 'from_partner' ? -amountTenge : amountTenge
      await insertMovement(
        { partnerId, kind: 'payment', signed, source: `payment:${paid.id}` },
        trx
      )
      const payment = { paymentId: paid.id, partnerId, direction }
      for (const part of input.parts) await this.#payPart(payment, part, actor, trx)
      const change = { bank_reference: bankReference, direction, amount_tenge: String(amountTenge) }
      await record('payment_recorded', change, { actor, partnerId }, trx)
      return { paymentId: paid.id }
    })
  }

  async #payPart(
    {
      paymentId,
      partnerId,
      direction,
    }: { paymentId: number; partnerId: number } & Pick<RecordPaymentInput, 'direction'>,
    { statementId, amountTenge }: PaymentPart,
    actor: Actor,
    trx: TransactionClientContract
  ) {
    const before = await lockStatement(statementId, trx)
    if (before.partnerId !== partnerId) refuse('NO_SUCH', { what: 'statement of this partner' })
    const due = amountDue(before.totals)
    if (direction !== directionOf(due))
      refuseField('direction', 'direction', 'must be the direction of the amount due')
    const unpaid = magnitude(due) - magnitude(before.paidTenge)
    // A statement that is already paid is refused by the state table.
    if (unpaid > 0n && amountTenge > unpaid)
      refuseField('parts', 'sum', 'must not exceed the unpaid amount of the statement')
    await insertPart({ paymentId, statementId, amountTenge }, trx)
    await transitionStatement(before, amountTenge === unpaid ? 'payAll' : 'pay', null, actor, trx)
  }
}

/** We pay for a period with more refunds than sales. */
const directionOf = (due: bigint) => (due < 0n ? 'to_partner' : 'from_partner')

function assertParts({ amountTenge, parts }: RecordPaymentInput) {
  if (amountTenge <= 0n) refuseField('amountTenge', 'positive', 'must be more than nothing')
  const total = sumTenge(parts, (part) => part.amountTenge)
  const isRepeated = new Set(parts.map(({ statementId }) => statementId)).size < parts.length
  if (total > amountTenge || isRepeated || parts.some((part) => part.amountTenge <= 0n))
    refuseField('parts', 'sum', 'must pay different statements, and not more than was paid')
}
