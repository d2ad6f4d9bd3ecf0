import { setTimeout as delay } from 'node:timers/promises'
import { groupsOf } from './comparisons.ts'
import type { LoadGenerator } from './load_generator.ts'
import { median, runRound, summarise, type Figures } from './rounds.ts'
import type { Site, Testbed } from './testbed.ts'
import { freestEvent, releaseHolds } from './stock.ts'

const ARRIVALS_PER_SECOND = 50
const GIVE_UP_MS = 120_000

export interface Sweeps {
  holds: number
  /** From the expiry of all holds to the last one recorded. */
  seconds: number
  /** Bookings that were made during the sweep. */
  bookings: Figures
  /** Milliseconds of a sweep of the same number of holds, before and after the table has grown. */
  few: { due: number; inSmall: number; inLarge: number; grownBy: number }
}

export interface SweepSize {
  holds: number
  grownBy: number
}

/** Measures the expiry of many holds at once during other bookings, and of a few in a table that has grown. */
export async function measureSweeps(
  testbed: Testbed,
  generator: LoadGenerator,
  { holds, grownBy }: SweepSize
): Promise<Sweeps> {
  const { small } = testbed
  await releaseHolds(small)
  const worker = await small.startWorker()
  try {
    const due = Math.round(holds / 20)
    const free = await freestEvent(small)
    const swept = { ...small, soldEvents: small.soldEvents.filter((id) => id !== free.eventId) }
    const inSmall = await sweepFew(swept, due)
    await addBookings(swept, holds, `now() + interval '1 hour'`, 'active')
    const { seconds, bookings } = await sweepWhileBooking(testbed, generator, free, worker.pid)
    await addBookings(swept, grownBy, `now() - interval '1 day'`, 'expired')
    await addBookings(swept, grownBy, `now() + interval '1 day'`, 'active')
    await small.database.query('ANALYZE bookings')
    const inLarge = await sweepFew(swept, due)
    return { holds, seconds, bookings, few: { due, inSmall, inLarge, grownBy: 2 * grownBy } }
  } finally {
    await worker.stop()
  }
}

async function sweepWhileBooking(
  testbed: Testbed,
  generator: LoadGenerator,
  { eventId, sectors }: Awaited<ReturnType<typeof freestEvent>>,
  workerPid: number
) {
  const { small } = testbed
  const partners = [small.partners.bulk, small.partners.rival]
  const contender = {
    name: 'ours' as const,
    groups: { ...groupsOf(testbed, small), worker: workerPid },
    job: async (durationMs: number) => {
      const rate = { perSecond: ARRIVALS_PER_SECOND, durationMs }
      const seats = sectors.flat()
      return { kind: 'arrivals', port: small.port, partners, eventId, seats, ...rate } as const
    },
  }
  await small.database.query(
    `UPDATE bookings SET expires_at = clock_timestamp() WHERE partner_booking_id LIKE 'swept-%' AND stored_status = 'active'`
  )
  const began = performance.now()
  const swept = untilSwept(small).then(() => (performance.now() - began) / 1000)
  // Long enough for the slowest sweep that passes: the bookings' figures are those during the sweep.
  const round = await runRound(generator, contender, 20_000)
  return { seconds: await swept, bookings: summarise([round]) }
}

async function untilSwept({ database }: Site) {
  const deadline = performance.now() + GIVE_UP_MS
  const left = async () => {
    const { rows } = await database.query<{ is_left: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM bookings WHERE stored_status = 'active' AND expires_at <= now()
                         AND partner_booking_id LIKE 'swept-%') AS is_left`
    )
    return rows[0].is_left
  }
  while (await left()) {
    if (performance.now() > deadline) return
    await delay(100)
  }
}

/** The median duration of the worker's sweeps, as its job records it. */
async function sweepFew(site: Site, due: number): Promise<number> {
  const times = []
  for (let round = 0; round < 5; round++) {
    await addBookings(site, due, 'now()', 'active')
    await untilSwept(site)
    times.push(await lastSweepTook(site))
  }
  return median(times)
}

/** The job's record is written shortly after its last booking. */
async function lastSweepTook({ database }: Site) {
  await delay(200)
  const { rows } = await database.query<{ took_ms: number }>(
    `SELECT took_ms FROM job_runs WHERE job = 'expire_overdue'`
  )
  return rows[0].took_ms
}

/** Adds bookings of one seat each, in events that are not on sale during the measurement. */
async function addBookings(
  { database, soldEvents, partners }: Site,
  count: number,
  expiresAt: string,
  status: 'active' | 'expired'
) {
  // The rows satisfy the foreign keys by construction; checking them would take minutes.
  await database.query('SET session_replication_role = replica')
  await database.query(
    `WITH seat AS MATERIALIZED (
       SELECT id, event_id, space_id, category_code, row_number() OVER (ORDER BY id) AS place
         FROM event_seats WHERE event_id = ANY($1) AND price_tenge IS NOT NULL),
     made AS MATERIALIZED (
       SELECT 'bkg_' || substr(md5(random()::text || n), 1, 26) AS booking_id,
              1 + n % (SELECT count(*) FROM seat) AS place
         FROM generate_series(1, $2::int) n),
     bookings AS (
       INSERT INTO bookings (id, partner_id, partner_booking_id, event_id, stored_status, total_tenge, ttl_seconds,
                             created_at, expires_at)
       SELECT booking_id, $3, 'swept-' || booking_id, event_id, '${status}', 12000, 180, now() - interval '3 minutes',
              ${expiresAt}
         FROM made JOIN seat USING (place))
     INSERT INTO booking_seats (booking_id, position, event_seat_id, space_id, category_code, price_tenge)
     SELECT booking_id, 1, seat.id, space_id, category_code, 12000 FROM made JOIN seat USING (place)`,
    [soldEvents, count, partners.rival.id]
  )
  await database.query('SET session_replication_role = origin')
}
