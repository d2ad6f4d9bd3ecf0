import type { selectKey } from '#partners/queries/find_partner_key'
import type { payOrder } from '#sales/confirm_order/pay_order_sql'
import type { receiveConfirm } from '#sales/confirm_order/receive_confirm_sql'
import type { insertBooking } from '#sales/hold_seats/hold_seats_sql'
import type { insertOrder } from '#sales/place_order/place_order_sql'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { newKey, newPublicId } from './fresh_ids.ts'
import type { Lot, Outcome, Partner, StatementsJob } from './jobs.ts'
import { CUSTOMER } from './partner_calls.ts'
import { Tally } from './tally.ts'

type Row = Record<string, any>

/** A sale in progress: its input, and the first row that each statement has returned. */
interface Progress {
  partner: Partner
  lot: Lot
  bookingId: string
  key: string
  paidAt: Date
  rows: Record<string, Row | undefined>
}

/** The same as config/database.ts sets for requests. */
const SESSION_OPTIONS =
  '-c timezone=UTC -c plan_cache_mode=force_generic_plan -c jit=off -c enable_seqscan=off'
const PREFIX = 'TIX'
const QR_TOKEN = 'x'.repeat(544)

/** Measures PostgreSQL alone: runs the recorded statements of a sale, prepared, in the same order, and nothing else. */
export async function statements(job: StatementsJob): Promise<Outcome> {
  const { databaseUrl, partner, recorded, parameterNames, connections, durationMs } = job
  const isKnown = (name: string): name is SaleStatement => name in PARAMETERS
  const unmapped = recorded.find(({ name }) => !isKnown(name))
  if (unmapped) {
    throw new Error(
      `A sale now runs "${unmapped.name}": add its parameters to bench/generator/statements.ts.`
    )
  }
  const clients = await pool(databaseUrl, connections)
  const lots = job.lots.values()
  const tally = new Tally()
  const until = performance.now() + durationMs
  await Promise.all(
    clients.map(async (client) => {
      for (let now = performance.now(); now < until; now = performance.now()) {
        const { value: lot } = lots.next()
        if (!lot) return
        const progress = begin(partner, lot)
        for (const { name, text } of recorded) {
          const params: Row = PARAMETERS[name as SaleStatement](progress)
          const values = parameterNames[name].map((parameter) => params[parameter])
          const { rows } = await client.query<Row>({ name, text, values })
          progress.rows[name] = rows.at(0)
        }
        const isHeld = progress.rows.book_seats?.created_at !== null
        tally.answered(isHeld ? 'sold' : 'lost')
        if (isHeld) tally.finish(now)
      }
    })
  )
  return tally.outcome()
}

const begin = (partner: Partner, lot: Lot): Progress => ({
  partner,
  lot,
  bookingId: newPublicId('bkg'),
  key: newKey('d'),
  paidAt: new Date(),
  rows: {},
})

const open: pg.Client[] = []

/** Connections stay open between rounds with their prepared statements, as those of the application do. */
async function pool(connectionString: string, connections: number) {
  while (open.length < connections) {
    const client = new pg.Client({ connectionString, options: SESSION_OPTIONS })
    client.on('error', () => {})
    await client.connect()
    open.push(client)
  }
  return open
}

type NamesOf<Params> = Record<keyof Params, unknown>

/** The parameters that the compiler knows of each statement; their values are those that pg returns without type parsers. */
interface SaleParams {
  partner_key: NamesOf<Parameters<typeof selectKey>[0]>
  book_seats: NamesOf<Parameters<typeof insertBooking>[0]>
  open_order: NamesOf<Parameters<typeof insertOrder>[0]>
  receive_confirm: NamesOf<Parameters<typeof receiveConfirm>[0]>
  pay_order: NamesOf<Parameters<typeof payOrder>[0]>
}
type SaleStatement = keyof SaleParams

const PARAMETERS: { [Name in SaleStatement]: (progress: Progress) => SaleParams[Name] } = {
  partner_key: ({ partner }) => ({ apiKey: partner.apiKey }),

  book_seats: ({ partner, bookingId, key, lot, rows }) => ({
    ...actorOf(partner),
    bookingId,
    partnerId: partner.id,
    partnerBookingId: key,
    eventId: lot.eventId,
    seats: lot.seats,
    customer: JSON.stringify(CUSTOMER),
    holdSeconds: rows.partner_key!.hold_seconds,
  }),

  open_order: ({ partner, bookingId, key, rows }) => ({
    ...actorOf(partner),
    room: rows.partner_key!.pending_orders,
    bookingId,
    partnerId: partner.id,
    prefix: PREFIX,
    partnerOrderId: key,
    customer: JSON.stringify(CUSTOMER),
    windowSeconds: rows.partner_key!.payment_window_seconds,
  }),

  receive_confirm: ({ partner, key, paidAt, rows }) => {
    const { id, total_tenge: total } = rows.open_order!
    return {
      partnerId: partner.id,
      orderIdSent: id,
      requestId: randomUUID(),
      elapsedMs: 0.5,
      timestampSent: String(Math.floor(Date.now() / 1000)),
      isSignatureValid: true,
      amountRaw: total,
      amountTenge: total,
      paidAtRaw: paidAt.toISOString(),
      paidAt,
      paidAtPrecision: 'subsecond',
      externalPaymentId: key,
      currency: 'KZT',
      method: 'card',
    }
  },

  pay_order: ({ partner, key, paidAt, rows }) => {
    const { id, event_id: eventId, total_tenge: total } = rows.open_order!
    const { received_at: receivedAt, attempt_id: attemptId, ...found } = rows.receive_confirm!
    const seats: Row[] = found.seats
    const numbers: string[] = found.ticket_numbers
    return {
      ...actorOf(partner),
      orderId: id,
      eventId,
      receivedAt,
      amountTenge: total,
      eventSeatIds: seats.map((seat) => seat.event_seat_id),
      paidAtRaw: paidAt.toISOString(),
      paidAt,
      externalPaymentId: key,
      currency: 'KZT',
      method: 'card',
      ticketIds: seats.map(() => newPublicId('tkt')),
      ticketNumbers: numbers.map((number) => `${PREFIX}-TKT-${number.padStart(6, '0')}`),
      pricesTenge: seats.map((seat) => seat.price_tenge),
      qrTokens: seats.map(() => QR_TOKEN),
      attemptId,
    }
  },
}

const actorOf = ({ apiKey }: Partner) => ({
  actorKind: 'partner',
  actor: apiKey,
  requestId: randomUUID(),
})
