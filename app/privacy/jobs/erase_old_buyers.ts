import platform from '#config/platform'
import { BATCH_SIZE, eraseBatch } from '#privacy/erase_batch'
import DropRegister from '#reconciliation/actions/drop_register'
import { CLOCK } from '#shared/actor'
import { journalEntry } from '#shared/journal'
import { Refusal } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

/**
 * Erases the buyers of events that ended longer ago than BUYER_RETENTION_DAYS. Each batch is a transaction of its own: a worker
 * that is killed has erased what it has erased, and the next run goes on.
 *
 *     retention 1095 days   event ended 2023-11-25   →   2026-11-24: orders 1–200, then 201–400, … then the event is done
 */
const selectEvents = statement<{ id: string }, { days: number }>(
  'privacy_old_events',
  `SELECT id FROM events e
    WHERE ends_at < clock_timestamp() - make_interval(days => :days::int)
      AND NOT EXISTS (SELECT FROM erased_events WHERE event_id = e.id)
    ORDER BY ends_at, id`
)

interface After {
  eventId: string
  after: string
  limit: number
}

const selectOrders = statement<{ id: string }, After>(
  'privacy_orders_of_event',
  `SELECT id FROM orders WHERE event_id = :eventId AND id > :after AND buyer_erased_at IS NULL ORDER BY id LIMIT :limit`
)
const selectBookings = statement<{ id: string }, After>(
  'privacy_bookings_of_event',
  `SELECT id FROM bookings
    WHERE event_id = :eventId AND id > :after AND customer IS NOT NULL AND buyer_erased_at IS NULL ORDER BY id LIMIT :limit`
)

// Not while another worker is at its last batch, or something is still being bought: the next run looks again.
const endEvent = statement<object, { eventId: string; days: number }>(
  'privacy_end_event',
  `WITH ended AS (
     INSERT INTO erased_events (event_id)
     SELECT :eventId
      WHERE NOT EXISTS (SELECT FROM orders WHERE event_id = :eventId AND buyer_erased_at IS NULL)
        AND NOT EXISTS (SELECT FROM bookings WHERE event_id = :eventId AND customer IS NOT NULL AND buyer_erased_at IS NULL)
     ON CONFLICT DO NOTHING RETURNING event_id)
   ${journalEntry('event_buyers_erased', {
     from: 'ended',
     by: 'clock',
     eventId: 'event_id',
     details: {
       retention_days: ':days::int',
       orders: '(SELECT count(*) FROM orders WHERE event_id = :eventId)',
       bookings: '(SELECT count(*) FROM bookings WHERE event_id = :eventId)',
     },
   })}`
)

// Nobody stands for these, so their files prove nothing.
const selectUnconfirmed = statement<{ id: number; version: number }, { days: number }>(
  'privacy_unconfirmed_registers',
  `SELECT id, version FROM partner_registers
    WHERE state IN ('uploaded', 'mapped', 'read', 'matched')
      AND period_to < clock_timestamp() - make_interval(days => :days::int) ORDER BY id`
)
const selectRegisters = statement<{ id: number }, { days: number }>(
  'privacy_old_registers',
  `SELECT id FROM partner_registers
    WHERE buyers_erased_at IS NULL AND period_to < clock_timestamp() - make_interval(days => :days::int) ORDER BY id`
)
const eraseRows = statement<
  { count: number; last: number | null },
  { registerId: number; after: number; limit: number }
>(
  'privacy_erase_old_register_rows',
  `WITH old AS MATERIALIZED (
     SELECT line FROM partner_register_rows
      WHERE register_id = :registerId AND line > :after AND num_nonnulls(email, raw) > 0
      ORDER BY line LIMIT :limit FOR NO KEY UPDATE),
   erased AS (
     UPDATE partner_register_rows r SET email = NULL, raw = NULL FROM old
      WHERE r.register_id = :registerId AND r.line = old.line RETURNING r.line)
   SELECT count(*)::int, max(line) AS last FROM erased`
)
// The rows of the preview, and skipped texts, are cells of the file; its headers are still read by other registers of the source.
const endRegister = statement<object, { registerId: number; days: number; rows: number }>(
  'privacy_end_register',
  `WITH ended AS (
     UPDATE partner_registers SET preview = jsonb_set(preview, '{rows}', '[]'), control = control - 'skippedTexts',
            buyers_erased_at = clock_timestamp()
      WHERE id = :registerId AND buyers_erased_at IS NULL RETURNING id, partner_id)
   ${journalEntry('register_buyers_erased', {
     from: 'ended',
     by: 'clock',
     partnerId: 'partner_id',
     details: { register_id: 'id', retention_days: ':days::int', rows: ':rows::int' },
   })}`
)

// Whom somebody searched for before exporting a list.
const eraseOldSearches = statement<object, { days: number }>(
  'privacy_erase_old_searches',
  `UPDATE journal SET change = jsonb_set(change, '{filters,q}', '"[erased]"')
    WHERE name = 'list_exported' AND at < clock_timestamp() - make_interval(days => :days::int)
      AND change #>> '{filters,q}' <> '[erased]'`
)

const REGISTER_ROWS = 5_000

/** A run ends after this time, so that a backlog of years does not hold up other checks; the next one goes on. */
const MOST_MS = 60_000

export default async function eraseOldBuyers(
  stopping?: AbortSignal,
  mostMs = MOST_MS
): Promise<void> {
  const endsAt = performance.now() + mostMs
  const batches = eraseInBatches(platform.buyerRetentionDays, stopping)
  for (;;) {
    stopping?.throwIfAborted()
    const { done } = await batches.next()
    if (done || performance.now() >= endsAt) return
  }
}

/** Yields after each transaction. */
async function* eraseInBatches(days: number, stopping?: AbortSignal): AsyncGenerator<void> {
  for (const { id } of await selectEvents({ days })) {
    yield* eraseOrders(id, stopping)
    yield* eraseBookings(id, stopping)
    await endEvent({ eventId: id, days })
  }
  for (const register of await selectUnconfirmed({ days })) {
    await dropRegister(register, days)
    yield
  }
  for (const { id } of await selectRegisters({ days })) yield* eraseRegister(id, days)
  await eraseOldSearches({ days })
}

async function* eraseOrders(eventId: string, stopping?: AbortSignal): AsyncGenerator<void> {
  let after = ''
  for (;;) {
    const found = await selectOrders({ eventId, after, limit: BATCH_SIZE })
    if (found.length === 0) return
    const orderIds = found.map(({ id }) => id)
    await transaction((trx) => eraseBatch({ orderIds, bookingIds: [] }, trx), stopping)
    after = orderIds.at(-1)!
    yield
  }
}

/** Those that became no order, or whose order was erased before them. */
async function* eraseBookings(eventId: string, stopping?: AbortSignal): AsyncGenerator<void> {
  let after = ''
  for (;;) {
    const found = await selectBookings({ eventId, after, limit: BATCH_SIZE })
    if (found.length === 0) return
    const bookingIds = found.map(({ id }) => id)
    await transaction((trx) => eraseBatch({ orderIds: [], bookingIds }, trx), stopping)
    after = bookingIds.at(-1)!
    yield
  }
}

async function dropRegister({ id, version }: { id: number; version: number }, days: number) {
  const reason = `nobody confirmed it within ${days} days`
  try {
    await new DropRegister().handle({
      registerId: id,
      version,
      reason,
      actor: CLOCK,
      language: 'ru',
    })
  } catch (error) {
    // Somebody has just changed it, or another worker has dropped it: the next run looks again.
    if (!(error instanceof Refusal)) throw error
  }
}

async function* eraseRegister(registerId: number, days: number): AsyncGenerator<void> {
  let rows = 0
  let after: number | null = 0
  while (after !== null) {
    const { count, last } = await eraseRows.one({ registerId, after, limit: REGISTER_ROWS })
    rows += count
    after = last
    yield
  }
  await endRegister({ registerId, days, rows })
}
