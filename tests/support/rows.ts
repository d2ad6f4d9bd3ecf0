import type { TestPartner } from '#tests/support/fixtures'
import db from '@adonisjs/lucid/services/db'

type Row = Record<string, any>

export async function rows(sql: string, ...values: unknown[]): Promise<Row[]> {
  const result = await db.rawQuery(sql, values as never)
  return result.rows as Row[]
}

/**
 * By the owner of the tables: for a state that the application cannot make, such as a changed amount or a deleted entry. In one
 * statement with `set_config('session_replication_role', 'replica', true)` no trigger acts either.
 */
export async function ownerRows(sql: string, ...values: unknown[]): Promise<Row[]> {
  const result = await db.connection('owner').rawQuery(sql, values as never)
  return result.rows as Row[]
}

/** Begins such a statement: `${PAST_TRIGGERS} UPDATE … FROM free WHERE …`. */
export const PAST_TRIGGERS = `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))`

export async function ownerOne(sql: string, ...values: unknown[]): Promise<Row> {
  const [row] = await ownerRows(sql, ...values)
  return row
}

export async function one(sql: string, ...values: unknown[]): Promise<Row> {
  const [row] = await rows(sql, ...values)
  return row
}

const countOf = (table: string) => async (partner: { id: number }) => {
  const { n } = await one(
    `SELECT count(*)::int AS n FROM ${table} WHERE partner_id = ?`,
    partner.id
  )
  return n as number
}
export const countBookings = countOf('bookings')
export const countOrders = countOf('orders')
export const countAttempts = countOf('confirm_attempts')

/** Everything that a partner's writes leave: what a refusal must not change. */
export async function traceOf(partner: TestPartner) {
  return one(
    `SELECT (SELECT json_agg(b ORDER BY id) FROM bookings b WHERE partner_id = p.id) AS bookings,
            (SELECT json_agg(o ORDER BY id) FROM orders o WHERE partner_id = p.id) AS orders,
            (SELECT json_agg(t ORDER BY t.id) FROM tickets t JOIN orders o ON o.id = t.order_id
              WHERE o.partner_id = p.id) AS tickets,
            (SELECT json_agg(s ORDER BY s.id) FROM event_seats s JOIN event_grants g USING (event_id)
              WHERE g.partner_id = p.id AND (state <> 'free' OR held_by IS NOT NULL)) AS seats,
            (SELECT count(*)::int FROM journal j WHERE j.partner_id = p.id) AS entries
       FROM partners p WHERE id = ?`,
    partner.id
  )
}

/** `seat-1-1 held`: each seat of an event that is not free now, in the order of the hall. */
export async function takenSeats(event: { id: string }): Promise<string[]> {
  const taken = await rows(
    `SELECT space_id, seat_status(state, hold_until, clock_timestamp()) AS status FROM event_seats
      WHERE event_id = ? AND seat_status(state, hold_until, clock_timestamp()) <> 'free' ORDER BY position`,
    event.id
  )
  return taken.map(({ space_id: id, status }) => `${id} ${status}`)
}

export const attemptsAt = (orderId: string) =>
  rows('SELECT * FROM confirm_attempts WHERE order_id_sent = ? ORDER BY id', orderId)

export const journalOf = async (subject: 'booking_id' | 'order_id', id: string) => {
  const entries = await rows(`SELECT name FROM journal WHERE ${subject} = ? ORDER BY id`, id)
  return entries.map(({ name }) => name as string)
}
