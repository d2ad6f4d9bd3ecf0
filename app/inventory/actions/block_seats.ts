import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface BlockSeatsInput {
  eventId: string
  seats: string[]
  reason: string | null
  actor: Actor
}

const lockSeats = statement<{ id: bigint; space_id: string; status: string }>(
  'block_lock_seats',
  `SELECT id, space_id, seat_status(state, hold_until, clock_timestamp()) AS status
     FROM event_seats WHERE event_id = $1 AND space_id = ANY($2::text[]) ORDER BY id FOR NO KEY UPDATE`
)
const storeState = statement(
  'block_store_state',
  'UPDATE event_seats SET state = $2, held_by = NULL, hold_until = NULL WHERE id = ANY($1::bigint[])'
)

/** Takes free seats off sale, all or none; held and sold ones are refused. */
export class BlockSeats {
  handle = (input: BlockSeatsInput) => changeState(input, 'free', 'blocked')
}

/** Puts blocked seats back on sale, all or none. */
export class UnblockSeats {
  handle = (input: BlockSeatsInput) => changeState(input, 'blocked', 'free')
}

async function changeState(
  { eventId, seats, reason, actor }: BlockSeatsInput,
  from: string,
  to: string
) {
  await transaction(async (trx) => {
    const found = await lockSeats([eventId, seats], trx)
    const status = new Map(found.map((seat) => [seat.space_id, seat.status]))
    const unknown = seats.filter((id) => !status.has(id))
    if (unknown.length > 0) refuse('SEATS_UNKNOWN', { seats: unknown })
    const others = seats.filter((id) => status.get(id) !== from)
    if (others.length > 0) refuse('SEATS_NOT_AVAILABLE', { seats: others })
    await storeState([found.map((seat) => seat.id), to], trx)
    if (to === 'blocked') await record('seats_blocked', { seats, reason }, { actor, eventId }, trx)
    else await record('seats_unblocked', { seats }, { actor, eventId }, trx)
  })
}
