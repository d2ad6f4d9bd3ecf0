import type { Lot } from './generator/jobs.ts'
import type { Site } from './testbed.ts'

/** Releases the holds of earlier rounds, so that each round starts from the same state. */
export async function releaseHolds({ database, soldEvents }: Site) {
  await database.query(
    `UPDATE event_seats SET held_by = NULL, hold_until = NULL
      WHERE event_id = ANY($1) AND state = 'free' AND held_by IS NOT NULL`,
    [soldEvents]
  )
  await database.query(
    `UPDATE bookings SET stored_status = 'expired' WHERE stored_status = 'active' AND event_id = ANY($1)`,
    [soldEvents]
  )
  await database.query('VACUUM event_seats')
}

/** Pairs of adjacent seats that can be sold now. */
export async function freeLots(site: Site, atMost: number): Promise<Lot[]> {
  const { rows } = await site.database.query<{ event_id: string; space_id: string }>(
    `SELECT event_id, space_id FROM event_seats
      WHERE event_id = ANY($1) AND price_tenge IS NOT NULL AND seat_status(state, hold_until, clock_timestamp()) = 'free'
      ORDER BY event_id, sector_id, position LIMIT $2`,
    [site.soldEvents, 2 * atMost]
  )
  const pairs = rows.flatMap((seat, index) => (index % 2 === 1 ? [[rows[index - 1], seat]] : []))
  return pairs
    .filter(([one, other]) => one.event_id === other.event_id)
    .map(([one, other]) => ({ eventId: one.event_id, seats: [one.space_id, other.space_id] }))
}

/** The free seats of one event, sector after sector. */
export async function freeSectors({ database }: Site, eventId: string): Promise<string[][]> {
  const { rows } = await database.query<{ seats: string[] }>(
    `SELECT array_agg(space_id ORDER BY position) AS seats FROM event_seats
      WHERE event_id = $1 AND price_tenge IS NOT NULL AND seat_status(state, hold_until, clock_timestamp()) = 'free'
      GROUP BY sector_id ORDER BY sector_id`,
    [eventId]
  )
  return rows.map(({ seats }) => seats)
}

/** The sold event with the most free seats left. */
export async function freestEvent(site: Site) {
  const all: { eventId: string; sectors: string[][]; free: number }[] = []
  // In turn, because there is one connection.
  for (const eventId of site.soldEvents) {
    const sectors = await freeSectors(site, eventId)
    all.push({ eventId, sectors, free: sectors.flat().length })
  }
  return all.reduce((best, one) => (one.free > best.free ? one : best))
}

/** The number of seats that more than one buyer has, by tickets, by paid orders, by bookings or by the seats themselves. */
export async function oversold({ database }: Site): Promise<number> {
  const { rows } = await database.query<{ seats: number }>(
    `SELECT count(*)::int AS seats FROM (
       SELECT event_seat_id FROM tickets WHERE status IN ('active', 'used') GROUP BY 1 HAVING count(*) > 1
       UNION
       SELECT event_seat_id FROM booking_seats bs JOIN orders o USING (booking_id)
        WHERE o.stored_status = 'paid' GROUP BY 1 HAVING count(*) > 1
       UNION
       SELECT event_seat_id FROM booking_seats bs JOIN bookings b ON b.id = bs.booking_id
        WHERE b.stored_status = 'active' AND b.expires_at > now()
        GROUP BY 1 HAVING count(*) > 1
       UNION
       SELECT t.event_seat_id FROM tickets t JOIN event_seats s ON s.id = t.event_seat_id JOIN orders o ON o.id = t.order_id
        WHERE t.status = 'active' AND (s.state <> 'sold' OR s.held_by <> o.booking_id)
       UNION
       SELECT s.id FROM event_seats s WHERE s.state = 'sold'
          AND NOT EXISTS (SELECT 1 FROM tickets t WHERE t.event_seat_id = s.id AND t.status IN ('active', 'used'))
     ) wrong`
  )
  return rows[0].seats
}
