import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface BlockSeatsInput {
  eventId: string
  seats: string[]
  reason: string | null
  /** When some seats are in another state: refuse the whole request, or skip those seats. */
  others?: 'refuse' | 'skip'
  /** The request whose act this undoes. Refuses STALE, with who and when, if one of the seats has changed since. */
  undoes?: string
  actor: Actor
}

export interface BlockedSeats {
  /** Ids of those that changed. */
  seats: string[]
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
// The newest entry about any of the seats. An undo is offered for 10 seconds; the hour keeps the look to the newest entries.
const selectLastChange = statement<
  { by: string; at: Date; requestId: string | null },
  { eventId: string; seats: string[] }
>(
  'block_last_change',
  `SELECT actor AS by, at, request_id::text AS "requestId" FROM journal
    WHERE event_id = :eventId AND at > clock_timestamp() - interval '1 hour'
      AND name IN ('seats_blocked', 'seats_unblocked', 'storefront_held') AND change -> 'seats' ?| :seats::text[]
    ORDER BY id DESC LIMIT 1`
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
  { eventId, seats, reason, others = 'refuse', undoes, actor }: BlockSeatsInput,
  from: string,
  to: string
): Promise<BlockedSeats> {
  return transaction(async (trx) => {
    const found = await lockSeats({ eventId, seats }, trx)
    assertKnown(seats, found)
    if (undoes) await assertLastChangedIn(undoes, { eventId, seats }, trx)
    const [changing, staying] = split(found, ({ status }) => status === from)
    if (changing.length === 0 || (others === 'refuse' && staying.length > 0))
      refuse('SEATS_NOT_AVAILABLE', { seats: inOrder(seats, staying) })
    await storeState({ ids: changing.map(({ id }) => id), to }, trx)
    const name = to === 'blocked' ? 'seats_blocked' : 'seats_unblocked'
    await record(name, { seats: idsOf(changing), reason }, { actor, eventId }, trx)
    return { seats: idsOf(changing), skipped: staying.length }
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

async function assertLastChangedIn(
  requestId: string,
  of: { eventId: string; seats: string[] },
  trx: TransactionClientContract
) {
  const last = await selectLastChange.first(of, trx)
  if (last?.requestId !== requestId)
    refuse('STALE', last && { by: last.by, at: last.at.toISOString() })
}

const split = (seats: LockedSeat[], isIn: (seat: LockedSeat) => boolean) => [
  seats.filter(isIn),
  seats.filter((seat) => !isIn(seat)),
]
