import { rows } from '../sql.js'

/** id → its status by the clock. */
export type Statuses = Map<string, string>

const STATUSES = `
SELECT 'event ' || id AS id, event_status(stored_status, sales_start_at, starts_at, now()) AS status FROM events WHERE id = $1
UNION ALL
SELECT 'booking ' || id, CASE WHEN stored_status = 'active' AND expires_at <= now() THEN 'expired' ELSE stored_status END
  FROM bookings WHERE event_id = $1
UNION ALL
SELECT 'order ' || id, CASE WHEN stored_status = 'pending' AND window_ends_at <= now() THEN 'expired' ELSE stored_status END
  FROM orders WHERE event_id = $1
UNION ALL
SELECT 'ticket ' || id, status FROM tickets WHERE event_id = $1`

/** Contract and completions, States: written down once more, by hand. */
const STEPS: Record<string, string[]> = {
  event: [
    'sales_open sales_paused',
    'sales_open sales_closed',
    'sales_open cancelled',
    'sales_paused sales_open',
    'sales_paused sales_closed',
    'sales_paused cancelled',
    'sales_closed sales_open',
    'sales_closed cancelled',
  ],
  booking: ['active converted', 'active expired'],
  order: [
    'pending paid',
    'pending cancelled',
    'pending expired',
    'paid refunded',
    'paid partially_refunded',
    'partially_refunded refunded',
  ],
  ticket: ['active used', 'active void'],
}
const FIRST: Record<string, string> = { booking: 'active', order: 'pending', ticket: 'active' }

export async function statusesOf(eventId: string): Promise<Statuses> {
  const found = await rows(STATUSES, [eventId])
  return new Map(found.map(({ id, status }) => [id as string, status as string]))
}

/** Nothing has gone a way that the tables don't have, and nothing has vanished. */
export function assertAllowedSteps(before: Statuses | undefined, now: Statuses) {
  for (const [id, status] of before ?? []) {
    const step = `${status} ${now.get(id)}`
    if (status !== now.get(id) && !STEPS[id.split(' ')[0]].includes(step))
      throw new Error(`${id}: ${step}`)
  }
  for (const [id, status] of now) {
    const first = FIRST[id.split(' ')[0]]
    if (before && !before.has(id) && first && status !== first)
      throw new Error(`${id} began as ${status}`)
  }
}
