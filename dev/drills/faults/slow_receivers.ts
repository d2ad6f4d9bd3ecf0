import { aReceiver } from '../../../tests/support/receiver.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { seen } from '../drill_report.ts'
import { query } from '../query.ts'
import type { Faulty } from './faults_drill.ts'

const SILENT = 20
const NEWS_EACH = 100
const WATCHED_MS = 60_000
const WITHIN_SECONDS = 10

const ENDPOINTS = `
  INSERT INTO webhook_endpoints (partner_id, url)
  SELECT p.id, e.url FROM unnest($1::text[]) WITH ORDINALITY AS e(url, n) JOIN partners p ON p.code = 'silent-' || e.n`

/** Entries as the sweep of expired bookings records them. */
const NEWS = `
  INSERT INTO journal (name, actor_kind, actor, partner_id, event_id, booking_id, change)
  SELECT 'booking_expired', 'clock', 'clock', p.id, $1, 'bkg_' || gen_random_uuid(),
         jsonb_build_object('expired_at', now(), 'seats', jsonb_build_array('seat-1-1'))
    FROM partners p, generate_series(1, $2::int) WHERE p.code LIKE 'silent-%'`

/** Twenty partners whose servers accept every webhook and never answer. */
export async function slowReceivers({ report, site, cleanup, arrivals }: Faulty) {
  const mustHold = `${SILENT} receivers that never answer: another partner's deliveries within ${WITHIN_SECONDS} s (p95)`
  await report.check(mustHold, async () => {
    const receivers = await Promise.all(Array.from({ length: SILENT }, () => aReceiver(() => {})))
    cleanup.defer(() => receivers.forEach((each) => each.close()))
    await createPartners(site.command)
    await query(site.databaseUrl, ENDPOINTS, [receivers.map(({ url }) => url)])
    const began = arrivals.length
    await query(site.databaseUrl, NEWS, [site.holder.eventId, NEWS_EACH])
    await delay(WATCHED_MS)
    const silent = receivers.reduce((sum, { received }) => sum + received.length, 0)
    const seconds = arrivals
      .slice(began)
      .filter(({ json }) => json.expired_at ?? json.occurred_at)
      .map(
        ({ at, json }) => (at.getTime() - Date.parse(json.expired_at ?? json.occurred_at)) / 1_000
      )
      .toSorted((a, b) => a - b)
    const p95 = seconds[Math.floor(seconds.length * 0.95)]
    const text = `${seconds.length} deliveries, p95 ${p95?.toFixed(1)} s, slowest ${seconds.at(-1)?.toFixed(1)} s; ${silent} requests to ${SILENT} that don't answer`
    return seen(text, seconds.length > 0 && silent >= SILENT && p95 < WITHIN_SECONDS)
  })
}

/** Each with a key, without which nothing would be sent. Two at once, for two cores. */
async function createPartners(command: (...args: string[]) => Promise<void>) {
  const numbers = Array.from({ length: SILENT }, (_, index) => index + 1)
  const create = async () => {
    for (let n = numbers.pop(); n !== undefined; n = numbers.pop())
      await command('partner:create', `silent-${n}`, '--name=Silent')
  }
  await Promise.all([create(), create()])
}
