import { statement } from '#shared/statement'

const selectStates = statement<{ states: string }, { eventId: string }>(
  'back_office_plan_states',
  `SELECT coalesce(string_agg(left(seat_status(state, hold_until, clock_timestamp()), 1), '' ORDER BY sector_id, position), '') AS states
     FROM event_seats WHERE event_id = :eventId`
)

/** The state of every seat now, the first letter of each, in the order of `readPlanSeats`. */
export async function readStates(eventId: string): Promise<string> {
  const { states } = await selectStates.one({ eventId })
  return states
}

/** State → indexes of the seats that have changed to it. */
export type StateChange = Record<string, number[]>

/** The difference between two readings of all states; null when there is none. */
export function changeBetween(before: string, now: string): StateChange | null {
  if (before === now) return null
  const change: StateChange = {}
  for (const [place, letter] of [...now].entries()) {
    if (letter !== before[place]) (change[letter] ??= []).push(place)
  }
  return change
}
