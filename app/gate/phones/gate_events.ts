import type { GateEvent } from '#gate/phones/gate_props'
import { statement } from '#shared/statement'

const MAX_EVENTS = 200

const columns = `
  e.id, e.title, v.name AS venue, e.starts_at AS "startsAt", e.ends_at AS "endsAt",
  e.cancelled_at IS NOT NULL AS "isCancelled"`

const selectEvents = statement<GateEvent, { limit: number }>(
  'back_office_gate_events',
  `SELECT ${columns} FROM events e JOIN venues v ON v.id = e.venue_id
    WHERE e.starts_at > now() - interval '2 days' AND e.cancelled_at IS NULL
    ORDER BY e.starts_at, e.id LIMIT :limit`
)

/** Events that a gate can be set to, current and future ones, the earliest first. */
export const listGateEvents = () => selectEvents({ limit: MAX_EVENTS })

export const findGateEvent = statement<GateEvent, { event: string }>(
  'back_office_gate_event',
  `SELECT ${columns} FROM events e JOIN venues v ON v.id = e.venue_id WHERE e.id = :event`
)
