import { actorParams } from '#shared/journal'
import platform from '#config/platform'
import { openEventKey } from '#catalog/event_keys'
import {
  answerTo,
  recordAttemptAnswer,
  type ConfirmAnswer,
  type ReceivedConfirm,
} from '#sales/confirm_order/confirm_attempt'
import { recordAttemptLater } from '#sales/confirm_order/late_attempts'
import { isConfirmed, orderStatus } from '#sales/order_status'
import { findOrder, toOrder, type Order, type TicketJson } from '#sales/queries/find_order'
import { payOrder } from '#sales/confirm_order/pay_order_sql'
import {
  recordAttempt,
  type AttemptWithoutOrder,
  type OrderAtConfirm,
  type OrderToPay,
} from '#sales/confirm_order/receive_confirm_sql'
import { newId } from '#shared/public_id'
import { Refusal, refuse } from '#shared/refusals'
import type { SentInstant } from '#shared/instants'
import { statement } from '#shared/statement'
import { issueQrToken } from '#tickets/qr_token'
import { ticketNumber } from '#tickets/ticket_number'
import logger from '@adonisjs/core/services/logger'

export interface Payment {
  amountTenge: bigint
  paidAtRaw: string
  paidAt: SentInstant
  externalPaymentId: string
  currency: string
  method: string | null
}

export interface ConfirmOrderInput {
  received: ReceivedConfirm
  /** A refusal when `payment_info` failed its checks: the attempt is recorded, then refused with it. */
  payment: Payment | Refusal
}

type Confirmable = Pick<OrderAtConfirm, 'status' | 'is_event_cancelled' | 'total_tenge'>

/** What has happened to the order until now; its window is still judged by the arrival of the confirm. */
const selectOrderNow = statement<Confirmable, { orderId: string; receivedAt: string }>(
  'order_after_confirm',
  `SELECT ${orderStatus(':receivedAt::timestamptz')} AS status, e.stored_status = 'cancelled' AS is_event_cancelled, o.total_tenge
     FROM orders o JOIN events e ON e.id = o.event_id WHERE o.id = :orderId`
)

const TOKEN_LIFE_AFTER_EVENT_SECONDS = 365 * 24 * 3600

/**
 * Confirms a payment and issues tickets (contract, confirm).
 * The attempt is committed first, whatever the answer will be: a charge must never be without a trace.
 * The window is judged by the moment the request arrived.
 */
export default class ConfirmOrder {
  async handle({ received, payment }: ConfirmOrderInput): Promise<Order> {
    const found = await recordAttempt(received).catch((error: unknown) => {
      recordAttemptLater(received, answerTo(error))
      throw error
    })
    try {
      if (payment instanceof Refusal) throw payment
      const paid = await this.#confirm(received, payment, found)
      if (paid.isPaidNow) return paid.order
      await recordAnswerOrLog(found, received, { status: 200, code: null })
      return paid.order
    } catch (error) {
      await recordAnswerOrLog(found, received, answerTo(error))
      throw error
    }
  }

  /** `isPaidNow`: this confirm paid the order, another one had not paid it before. */
  async #confirm(
    received: ReceivedConfirm,
    payment: Payment,
    found: AttemptWithoutOrder | OrderAtConfirm
  ): Promise<{ order: Order; isPaidNow: boolean }> {
    if (found.order_id === null) refuse('ORDER_NOT_FOUND')
    if (!isConfirmed(found.status)) {
      assertConfirmable(found, payment.amountTenge)
      const order = found.seats ? await this.#pay(received, payment, found) : undefined
      if (order) return { order, isPaidNow: true }
      await this.#assertPaidMeanwhile(payment, found)
    }
    const order = await findOrder(received.partnerId, found.order_id)
    return { order: order ?? refuse('ORDER_NOT_FOUND'), isPaidNow: false }
  }

  async #pay(received: ReceivedConfirm, payment: Payment, found: OrderToPay) {
    const tickets = issueTickets(found)
    const row = await payOrder.first({
      ...actorParams(received.actor),
      orderId: found.order_id,
      eventId: found.event_id,
      receivedAt: found.received_at,
      amountTenge: payment.amountTenge,
      eventSeatIds: found.seats.map((seat) => seat.event_seat_id),
      paidAtRaw: payment.paidAtRaw,
      paidAt: payment.paidAt.at,
      externalPaymentId: payment.externalPaymentId,
      currency: payment.currency,
      method: payment.method,
      ticketIds: tickets.map((ticket) => ticket.id),
      ticketNumbers: tickets.map((ticket) => ticket.number),
      pricesTenge: tickets.map((ticket) => ticket.price_tenge),
      qrTokens: tickets.map((ticket) => ticket.qr_token),
      attemptId: found.attempt_id,
    })
    return row && toOrder({ ...row, tickets })
  }

  /** For an order that could not be paid after all: refuses what has ended it, unless another confirm paid it. */
  async #assertPaidMeanwhile({ amountTenge }: Payment, found: OrderAtConfirm) {
    const order = await selectOrderNow.one({
      orderId: found.order_id,
      receivedAt: found.received_at,
    })
    if (isConfirmed(order.status)) return
    assertConfirmable(order, amountTenge)
    // It arrived in time: what is left is that a seat went to somebody else once its hold had run out.
    refuse('ORDER_EXPIRED')
  }
}

/** The attempt is committed; a failure to record its answer must not change the answer. */
async function recordAnswerOrLog(
  found: AttemptWithoutOrder | OrderAtConfirm,
  received: ReceivedConfirm,
  answer: ConfirmAnswer
) {
  try {
    const attempt = { attemptId: found.attempt_id, receivedAt: found.received_at }
    await recordAttemptAnswer(attempt, received, answer)
  } catch (error) {
    const about = { order: received.orderId, requestId: received.actor.requestId, ...answer }
    logger.error({ err: error as Error, ...about }, 'the answer to a confirm was not recorded')
  }
}

function assertConfirmable(order: Confirmable, amountTenge: bigint) {
  if (order.status === 'cancelled') refuse('ORDER_CANCELLED')
  if (order.status === 'expired') refuse('ORDER_EXPIRED')
  if (order.is_event_cancelled) refuse('EVENT_CANCELLED')
  if (amountTenge !== order.total_tenge) {
    const message = 'The amount differs from the total of the order'
    refuse('INVALID_PARAMETERS', {
      fields: [{ field: 'payment_info.amount_tenge', rule: 'equals_total', message }],
      amount_tenge: Number(amountTenge),
      total_tenge: Number(order.total_tenge),
    })
  }
}

/** Signs tickets before the order is locked, so that no lock waits for cryptography; unused ones are dropped. */
function issueTickets(found: OrderToPay): TicketJson[] {
  const key = openEventKey(found)
  const issuedAt = Math.floor(Date.now() / 1000)
  const exp = Math.floor(found.ends_at.getTime() / 1000) + TOKEN_LIFE_AFTER_EVENT_SECONDS
  return found.seats.map((seat, index) => {
    const id = newId('tkt')
    const number = ticketNumber(platform.prefix, found.ticket_numbers[index])
    const about = { sub: id, event_id: found.event_id, space_id: seat.space_id, number }
    const claims = { iss: platform.prefix, ...about, iat: issuedAt, exp }
    return { ...seat, id, number, status: 'active', qr_token: issueQrToken(claims, found.kid, key) }
  })
}
