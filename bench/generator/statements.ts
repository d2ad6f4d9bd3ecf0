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
  const { databaseUrl, partner, recorded, connections, durationMs } = job
  const unmapped = recorded.find(({ name }) => !(name in PARAMETERS))
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
          const values = PARAMETERS[name](progress)
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

/** Parameters by statement name, in the order of the statement's placeholders. */
const PARAMETERS: Record<string, (progress: Progress) => unknown[]> = {
  partner_key: ({ partner }) => [partner.apiKey],

  book_seats: ({ partner, bookingId, key, lot, rows }) => [
    bookingId,
    partner.id,
    key,
    lot.eventId,
    lot.seats,
    JSON.stringify(CUSTOMER),
    rows.partner_key!.hold_seconds,
    ...actor(partner),
  ],

  open_order: ({ partner, bookingId, key, rows }) => [
    rows.partner_key!.pending_orders,
    bookingId,
    partner.id,
    PREFIX,
    key,
    JSON.stringify(CUSTOMER),
    rows.partner_key!.payment_window_seconds,
    ...actor(partner),
  ],

  receive_confirm: ({ partner, key, paidAt, rows }) => {
    const { id, total_tenge: total } = rows.open_order!
    return [
      partner.id,
      id,
      randomUUID(),
      0.5,
      String(Math.floor(Date.now() / 1000)),
      true,
      total,
      total,
      paidAt.toISOString(),
      paidAt,
      'subsecond',
      key,
      'KZT',
      'card',
    ]
  },

  pay_order: ({ partner, key, paidAt, rows }) => {
    const { id, event_id: eventId, total_tenge: total } = rows.open_order!
    const { received_at: receivedAt, attempt_id: attemptId, ...found } = rows.receive_confirm!
    const tickets: Row[] = found.seats
    const drawn: string[] = found.ticket_numbers
    const numbers = drawn.map((n) => `${PREFIX}-TKT-${n.padStart(6, '0')}`)
    return [
      id,
      eventId,
      receivedAt,
      total,
      tickets.map((ticket) => ticket.event_seat_id),
      paidAt.toISOString(),
      paidAt,
      key,
      'KZT',
      'card',
      tickets.map(() => newPublicId('tkt')),
      numbers,
      tickets.map((ticket) => ticket.price_tenge),
      tickets.map(() => QR_TOKEN),
      attemptId,
      ...actor(partner),
    ]
  },
}

const actor = ({ apiKey }: Partner) => ['partner', apiKey, randomUUID()]
