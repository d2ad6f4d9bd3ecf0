import type { AttemptFacts, OrderFacts } from '#defects/facts/facts'
import { JOIN_CONFIRMS } from '#defects/facts/ordinary_orders'
import { isInOtherCurrencySql } from '#defects/facts/other_currency'
import type { OrderStatus } from '#sales/order_status'
import { streamRows } from '#shared/stream_rows'
import { readInstant, type Precision } from '#shared/instants'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

type Attempt = {
  attemptId: string | null
  requestId: string
  orderIdSent: string
  receivedAt: number
  timestampSent: string | null
  attemptTenge: bigint | null
  isInOtherCurrency: boolean
  attemptPaidAtRaw: string | null
  attemptPaidAt: number | null
  attemptPrecision: Precision | null
  attemptPaymentId: string | null
  httpStatus: number | null
  code: string | null
  isSigned: boolean
}

type Row = Attempt & {
  id: string
  eventId: string
  eventCancelledAt: number | null
  status: OrderStatus
  totalTenge: bigint
  createdAt: number
  windowEndsAt: number
  confirmedAt: number | null
  paymentId: string | null
  paidAt: number | null
  paidAtRaw: string | null
  resoldTo: string[]
}

/** SQL of a moment in milliseconds with their fraction: rounding would change comparisons at the edge of a second. */
export const milliseconds = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`

const ATTEMPT = `a.id::text AS "attemptId", a.request_id AS "requestId", a.order_id_sent AS "orderIdSent",
  ${milliseconds('a.received_at')} AS "receivedAt", a.timestamp_sent AS "timestampSent", a.amount_tenge AS "attemptTenge",
  ${isInOtherCurrencySql('a.currency')} AS "isInOtherCurrency",
  a.paid_at_raw AS "attemptPaidAtRaw", ${milliseconds('a.paid_at')} AS "attemptPaidAt", a.paid_at_precision AS "attemptPrecision",
  a.external_payment_id AS "attemptPaymentId", a.http_status AS "httpStatus", a.code, a.signature_valid AS "isSigned"`

// Only for refused orders: seats with a valid ticket of another order, or sold at our own counter, which issues none.
const RESOLD = `CASE WHEN o.confirmed_at IS NULL AND a.id IS NOT NULL THEN ARRAY(
    SELECT DISTINCT coalesce(t.order_id, '') FROM booking_seats b JOIN event_seats s ON s.id = b.event_seat_id
      LEFT JOIN tickets t ON t.event_seat_id = s.id AND t.status IN ('active', 'used')
     WHERE b.booking_id = o.booking_id
       AND (t.order_id <> o.id OR (t.id IS NULL AND s.state = 'sold' AND s.held_by <> o.booking_id)))
  ELSE '{}'::text[] END`

const ORDER = `o.id, o.event_id AS "eventId", ${milliseconds('e.cancelled_at')} AS "eventCancelledAt",
  order_status_at(:asOf::timestamptz, o.stored_status, o.window_ends_at) AS status, o.total_tenge AS "totalTenge",
  ${milliseconds('o.created_at')} AS "createdAt", ${milliseconds('o.window_ends_at')} AS "windowEndsAt", ${milliseconds('o.confirmed_at')} AS "confirmedAt",
  o.payment_external_id AS "paymentId", ${milliseconds('o.payment_paid_at')} AS "paidAt", o.payment_paid_at_raw AS "paidAtRaw",
  ${RESOLD} AS "resoldTo"`

const FACTS = `SELECT ${ORDER}, ${ATTEMPT}
  FROM orders o JOIN events e ON e.id = o.event_id
  ${JOIN_CONFIRMS}`

export const OF_IDS = `${FACTS} WHERE o.id = ANY(:orderIds::text[]) AND o.partner_id = :partnerId ORDER BY o.id, a.id`

export interface FactsScope {
  partnerId: number
  asOf: Date
}

export const factsOfOrders = (
  { partnerId, asOf }: FactsScope,
  orderIds: string[],
  trx: TransactionClientContract
) => inOrders(streamRows<Row>(OF_IDS, { partnerId, asOf, orderIds }, trx))

async function* inOrders(rows: AsyncIterable<Row>): AsyncGenerator<OrderFacts> {
  let current: OrderFacts | null = null
  for await (const row of rows) {
    if (current?.id !== row.id) {
      if (current) yield current
      current = toOrder(row)
    }
    if (row.attemptId !== null) addAttempt(current!, row)
  }
  if (current) yield current
}

function addAttempt(order: OrderFacts, row: Row) {
  const attempt = toAttempt(row)
  if (row.isSigned) order.attempts.push(attempt)
  else (order.unsigned ??= []).push(attempt)
}

/** Without voids: they are few, read apart and added by the caller. */
function toOrder(row: Row): OrderFacts {
  const accepted = row.confirmedAt === null ? null : row.paymentId
  return {
    id: row.id,
    eventId: row.eventId,
    eventCancelledAt: row.eventCancelledAt,
    status: row.status,
    totalTenge: row.totalTenge,
    createdAt: row.createdAt,
    windowEndsAt: row.windowEndsAt,
    confirmedAt: row.confirmedAt,
    payment: accepted
      ? {
          paymentId: accepted,
          paidAt: row.paidAt!,
          paidAtRaw: row.paidAtRaw!,
          precision: readInstant(row.paidAtRaw!)?.precision ?? 'minute',
        }
      : null,
    resoldTo: row.resoldTo,
    attempts: [],
    voids: [],
    refusedRefunds: [],
    keptTickets: [],
  }
}

const SECONDS = /^\d{10}$/

export const toAttempt = (row: Attempt): AttemptFacts => ({
  id: row.attemptId!,
  requestId: row.requestId,
  orderIdSent: row.orderIdSent,
  receivedAt: row.receivedAt,
  sentAt: SECONDS.test(row.timestampSent ?? '') ? Number(row.timestampSent) * 1000 : null,
  amountTenge: row.attemptTenge,
  isInOtherCurrency: row.isInOtherCurrency,
  paidAtRaw: row.attemptPaidAtRaw,
  paidAt: row.attemptPaidAt,
  precision: row.attemptPrecision,
  paymentId: row.attemptPaymentId,
  httpStatus: row.httpStatus,
  code: row.code,
})

// A body that cannot be read, such as one in another currency, is refused before the order is looked for.
const IS_UNREADABLE_OF_NO_ORDER = `a.code = 'INVALID_PARAMETERS'
      AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = a.order_id_sent AND o.partner_id = a.partner_id)`

/** Confirms of unknown orders that arrived in [from, to), and those with one of the ids at any time. */
const OF_UNKNOWN_ORDERS = `SELECT ${ATTEMPT} FROM confirm_attempts a
  WHERE a.partner_id = :partnerId AND a.http_status <> 200 AND a.signature_valid
    AND (a.code = 'ORDER_NOT_FOUND' OR ${IS_UNREADABLE_OF_NO_ORDER})
    AND ((a.received_at >= :from AND a.received_at < :to) OR a.order_id_sent = ANY(:orderIds::text[]))
  ORDER BY a.id`

export async function readConfirmsOfUnknownOrders(
  { partnerId, from, to }: { partnerId: number; from: Date; to: Date },
  orderIds: string[],
  trx: TransactionClientContract
) {
  const found: AttemptFacts[] = []
  for await (const row of streamRows<Attempt>(
    OF_UNKNOWN_ORDERS,
    { partnerId, from, to, orderIds },
    trx
  ))
    found.push(toAttempt(row))
  return found
}
