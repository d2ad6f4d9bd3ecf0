import { blockValidator } from '#back_office/seat_plan/seats_validator'
import { UNDO_REASON, redirectWithUndo } from '#staff_area/undo'
import type { Undo } from '#staff_area/shared_props'
import { BlockSeats, UnblockSeats, type BlockedSeats } from '#inventory/actions/block_seats'
import { urlFor } from '@adonisjs/core/services/url_builder'
import type { HttpContext } from '@adonisjs/core/http'

/** The ids of more seats would make the next page heavy. */
const MOST_SEATS_TO_UNDO = 2_000

/** Takes seats off sale and puts them back; seats in another state are left as they are. */
export default class SeatBlocksController {
  async store(ctx: HttpContext) {
    const changed = await new BlockSeats().handle(await inputOf(ctx))
    return redirectWithUndo(ctx, 'plan.blocked', countsOf(changed), undoOf(ctx, changed, 'delete'))
  }

  async destroy(ctx: HttpContext) {
    const changed = await new UnblockSeats().handle(await inputOf(ctx))
    return redirectWithUndo(ctx, 'plan.unblocked', countsOf(changed), undoOf(ctx, changed, 'post'))
  }
}

/** An undo is for all its seats or for none. */
async function inputOf({ actor, params, request }: HttpContext) {
  const input = await request.validateUsing(blockValidator)
  const others = input.undoes ? ('refuse' as const) : ('skip' as const)
  return { ...input, eventId: String(params.id), others, actor }
}

const countsOf = ({ seats, skipped }: BlockedSeats) => ({ seats: seats.length, skipped })

function undoOf(
  { params, requestId }: HttpContext,
  { seats }: BlockedSeats,
  method: 'post' | 'delete'
): Undo | null {
  if (seats.length > MOST_SEATS_TO_UNDO) return null
  const name = method === 'post' ? 'back_office.seat_plan.block' : 'back_office.seat_plan.unblock'
  return {
    method,
    url: urlFor(name, { id: String(params.id) }),
    data: { seats, reason: UNDO_REASON, undoes: requestId },
  }
}
