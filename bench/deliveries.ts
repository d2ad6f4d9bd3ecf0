import { freePort } from '../dev/ports.ts'
import type { LoadGenerator } from './load_generator.ts'
import { takeTurns, type Contender, type Figures, type Pace } from './rounds.ts'
import type { Site, Testbed } from './testbed.ts'

/** The worker's own concurrency (start/schedule.ts). */
const CONCURRENCY = 60
/** Deliveries per second of a round's duration: enough to make the relay's interval a small part of the round. */
const PER_SECOND = 5_000

/** Measures a worker that sends webhooks about many bookings to the sandbox's partners, against jobs that do nothing. */
export async function measureDeliveries(
  { small, pids }: Testbed,
  generator: LoadGenerator,
  pace: Pace
): Promise<Record<'ours' | 'limit', Figures>> {
  const port = await freePort()
  await addEndpoints(small, port)
  const worker = await small.startWorker()
  const { redisUrl } = small
  const count = (durationMs: number) => Math.round((PER_SECOND * durationMs) / 1_000)
  const contenders: (Contender & { name: 'ours' | 'limit' })[] = [
    {
      name: 'ours',
      groups: { worker: worker.pid, ...pids },
      job: async (durationMs) => {
        const { databaseUrl } = small
        const news = expiredBookings(small, count(durationMs))
        return { kind: 'receive', port, count: count(durationMs), databaseUrl, news }
      },
    },
    {
      name: 'limit',
      groups: { redis: pids.redis },
      job: async (durationMs) => {
        const counted = { count: 2 * count(durationMs), concurrency: CONCURRENCY }
        return { kind: 'empty_jobs', redisUrl, ...counted }
      },
    },
  ]
  try {
    return await takeTurns(generator, contenders, pace)
  } finally {
    await worker.stop()
    await small.database.query('DELETE FROM webhook_attempts')
    await small.database.query('DELETE FROM webhook_deliveries')
    await small.database.query('DELETE FROM webhook_endpoints')
  }
}

const addEndpoints = ({ database }: Site, port: number) =>
  database.query(
    `INSERT INTO webhook_endpoints (partner_id, url)
     SELECT id, 'http://127.0.0.1:' || $1::int || '/webhooks' FROM partners p
      WHERE EXISTS (SELECT 1 FROM partner_keys k WHERE k.partner_id = p.id AND k.revoked_at IS NULL)`,
    [port]
  )

/** Journal entries as the sweep of expired bookings records them. */
const expiredBookings = ({ shownEvent }: Site, count: number) => ({
  text: `INSERT INTO journal (name, actor_kind, actor, partner_id, event_id, booking_id, change)
     SELECT 'booking_expired', 'clock', 'clock', e.partner_id, $1, 'bkg_' || gen_random_uuid(),
            jsonb_build_object('expired_at', now(), 'seats', jsonb_build_array('seat-1-1', 'seat-1-2'))
       FROM (SELECT partner_id, row_number() OVER () - 1 AS place, count(*) OVER () AS places FROM webhook_endpoints) e
       JOIN generate_series(1, $2::int) n ON n % places = place`,
  values: [shownEvent, count],
})
