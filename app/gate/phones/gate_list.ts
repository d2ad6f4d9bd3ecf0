import type { GateList } from '#gate/phones/gate_props'
import { readInstant } from '#shared/instants'
import { statement } from '#shared/statement'

type Used = { number: number; at: number; gate: string }
type Void = { number: number; cause: string }

const DIGITS = `substring(t.number FROM '[0-9]+$')::float8 AS number`
/** A transaction that commits after the list was read can have an earlier time, so the next list reads a minute again. */
const OVERLAP = `interval '1 minute'`

const selectUsed = statement<Used, { eventId: string; since: Date | string }>(
  'back_office_gate_used',
  `SELECT ${DIGITS}, extract(epoch FROM t.used_at)::float8 AS at, coalesce(t.used_gate, '') AS gate
     FROM ticket_scans s JOIN tickets t ON t.id = s.ticket_id
    WHERE s.event_id = :eventId AND s.verdict = 'admitted' AND s.scanned_at >= :since`
)
const selectVoid = statement<Void, { eventId: string; since: Date | string }>(
  'back_office_gate_void',
  `SELECT ${DIGITS}, t.void_cause AS cause FROM tickets t
    WHERE t.event_id = :eventId AND t.status = 'void' AND t.voided_at >= :since`
)
const selectCounts = statement<
  { now: Date; cursor: Date; inside: number; sold: number },
  { eventId: string }
>(
  'back_office_gate_counts',
  `SELECT clock_timestamp() AS now, clock_timestamp() - ${OVERLAP} AS cursor,
          (SELECT count(*)::int FROM tickets WHERE event_id = :eventId AND status = 'used') AS inside,
          -- Neither of the two indexes holds all three.
          (SELECT count(*)::int FROM tickets WHERE event_id = :eventId AND status = 'active')
            + (SELECT count(*)::int FROM tickets
                WHERE event_id = :eventId AND status <> 'active' AND status <> 'void') AS sold`
)

/** The gate list of an event; with a cursor, only the tickets that were used or voided since. */
export async function readGateList(eventId: string, cursor: string | null): Promise<GateList> {
  // Before the lists, so that no change falls between the cursor and the lists.
  const counts = await selectCounts.one({ eventId })
  // JavaScript parses more texts as dates than PostgreSQL does.
  const since = readInstant(cursor ?? '')?.at ?? '-infinity'
  const [used, voided] = await Promise.all([
    selectUsed({ eventId, since }),
    selectVoid({ eventId, since }),
  ])
  const gates = [...new Set(used.map(({ gate }) => gate))]
  const places = new Map(gates.map((gate, place) => [gate, place]))
  return {
    gates,
    used: used.map(({ number, at, gate }) => [number, Math.floor(at), places.get(gate)!]),
    void: voided.map(({ number, cause }) => [number, cause]),
    cursor: counts.cursor.toISOString(),
    now: counts.now.toISOString(),
    inside: counts.inside,
    sold: counts.sold,
  }
}
