import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface BlockSeatsInput {
  eventId: string
  seats: string[]
  reason: string | null
  /** When some seats are in another state: refuse the whole request, or skip those seats. */
  others?: 'refuse' | 'skip'
  actor: Actor
}

export interface BlockedSeats {
  seats: number
  skipped: number
}

const lockSeats = statement<LockedSeat, { eventId: string; seats: string[] }>(
  'block_lock_seats',
  `SELECT id, space_id, seat_status(state, hold_until, clock_timestamp()) AS status
     FROM event_seats WHERE event_id = :eventId AND space_id = ANY(:seats::text[]) ORDER BY id FOR NO KEY UPDATE`
)
const storeState = statement<object, { ids: bigint[]; to: string }>(
  'block_store_state',
  'UPDATE event_seats SET state = :to, held_by = NULL, hold_until = NULL WHERE id = ANY(:ids::bigint[])'
)

/** Takes free seats off sale: all or none, unless seats in another state are to be skipped. */
export class BlockSeats {
  handle = (input: BlockSeatsInput) => changeState(input, 'free', 'blocked')
}

/** Puts blocked seats back on sale: all or none, unless seats in another state are to be skipped. */
export class UnblockSeats {
  handle = (input: BlockSeatsInput) => changeState(input, 'blocked', 'free')
}

async function changeState(
  { eventId, seats, reason, others = 'refuse', actor }: BlockSeatsInput,
  from: string,
  to: string
): Promise<BlockedSeats> {
  return transaction(async (trx) => {
    const found = await lockSeats({ eventId, seats }, trx)
    assertKnown(seats, found)
    const [changing, staying] = split(found, ({ status }) => status === from)
    if (changing.length === 0 || (others === 'refuse' && staying.length > 0))
      refuse('SEATS_NOT_AVAILABLE', { seats: inOrder(seats, staying) })
    await storeState({ ids: changing.map(({ id }) => id), to }, trx)
    const name = to === 'blocked' ? 'seats_blocked' : 'seats_unblocked'
    await record(name, { seats: idsOf(changing), reason }, { actor, eventId }, trx)
    return { seats: changing.length, skipped: staying.length }
  })
}

interface LockedSeat {
  id: bigint
  space_id: string
  status: string
}

/** The ids of the seats in the order in which they were asked for. */
const inOrder = (asked: string[], seats: LockedSeat[]) => {
  const ids = new Set(idsOf(seats))
  return asked.filter((id) => ids.has(id))
}

const idsOf = (seats: LockedSeat[]) => seats.map((seat) => seat.space_id)

function assertKnown(seats: string[], found: LockedSeat[]) {
  const known = new Set(idsOf(found))
  const unknown = seats.filter((id) => !known.has(id))
  if (unknown.length > 0) refuse('SEATS_UNKNOWN', { seats: unknown })
}

const split = (seats: LockedSeat[], isIn: (seat: LockedSeat) => boolean) => [
  seats.filter(isIn),
  seats.filter((seat) => !isIn(seat)),
]
