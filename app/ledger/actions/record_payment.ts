import { moveStatement } from '#ledger/actions/change_statement_status'
import { turnoverOf } from '#ledger/movements'
import { lockAccount } from '#ledger/queries/accounts'
import { lockStatement } from '#ledger/queries/find_statement'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { magnitude } from '#shared/tenge'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface PaymentPart {
  statementId: number
  amountTenge: bigint
}

export interface RecordPaymentInput {
  partnerCode: string
  /** As the bank names it: the same one again is refused. */
  bankReference: string
  /** The day on the bank's document, `YYYY-MM-DD`. */
  paidOn: string
  direction: 'from_partner' | 'to_partner'
  amountTenge: bigint
  /** What of it is for which statement; the rest stays on the account. */
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
const insertPart = statement<object, { id: number; statementId: number; amountTenge: bigint }>(
  'settlement_payment_part_insert',
  'INSERT INTO settlement_payment_parts (payment_id, statement_id, amount_tenge) VALUES (:id, :statementId, :amountTenge)'
)
const insertMovement = statement<object, { partnerId: number; signed: bigint; source: string }>(
  'settlement_payment_move',
  `INSERT INTO ledger_movements (partner_id, kind, amount_tenge, source, effective_at)
   VALUES (:partnerId, 'payment', :signed, :source, clock_timestamp())`
)

/** A bank payment: moves the balance at once, and the statements that it is for towards paid. */
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
      await insertMovement({ partnerId, signed, source: `payment:${paid.id}` }, trx)
      const payment = { id: paid.id, partnerId, direction }
      for (const part of input.parts) await this.#settle(payment, part, actor, trx)
      const change = { bank_reference: bankReference, direction, amount_tenge: String(amountTenge) }
      await record('payment_recorded', change, { actor, partnerId }, trx)
      return { paymentId: paid.id }
    })
  }

  async #settle(
    {
      id,
      partnerId,
      direction,
    }: { id: number; partnerId: number } & Pick<RecordPaymentInput, 'direction'>,
    { statementId, amountTenge }: PaymentPart,
    actor: Actor,
    trx: TransactionClientContract
  ) {
    const before = await lockStatement(statementId, trx)
    if (before.partnerId !== partnerId) refuse('NO_SUCH', { what: 'statement of this partner' })
    const due = turnoverOf(before.totals)
    if (direction !== directionOf(due))
      refuseField('direction', 'direction', 'must be that of what the statement comes to')
    const unpaid = magnitude(due) - magnitude(before.paidTenge)
    // A statement that is paid already says so itself.
    if (unpaid > 0n && amountTenge > unpaid)
      refuseField('parts', 'sum', 'must not be more than the statement has still to be paid')
    await insertPart({ id, statementId, amountTenge }, trx)
    await moveStatement(before, amountTenge === unpaid ? 'payAll' : 'pay', null, actor, trx)
  }
}

/** A period of more refunds than sales is ours to pay. */
const directionOf = (due: bigint) => (due < 0n ? 'to_partner' : 'from_partner')

function assertParts({ amountTenge, parts }: RecordPaymentInput) {
  if (amountTenge <= 0n) refuseField('amountTenge', 'positive', 'must be more than nothing')
  const sum = parts.reduce((total, part) => total + part.amountTenge, 0n)
  const isTwice = new Set(parts.map(({ statementId }) => statementId)).size < parts.length
  if (sum > amountTenge || isTwice || parts.some((part) => part.amountTenge <= 0n))
    refuseField('parts', 'sum', 'must be for different statements, and not more than was paid')
}
