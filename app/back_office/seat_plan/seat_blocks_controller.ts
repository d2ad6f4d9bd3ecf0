import { blockValidator } from '#back_office/seat_plan/seats_validator'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { BlockSeats, UnblockSeats } from '#inventory/actions/block_seats'
import type { HttpContext } from '@adonisjs/core/http'

/** Takes seats off sale and puts them back; seats in another state are left as they are. */
export default class SeatBlocksController {
  async store(ctx: HttpContext) {
    const changed = await new BlockSeats().handle(await inputOf(ctx))
    return redirectWithNotice(ctx, 'plan.blocked', { ...changed })
  }

  async destroy(ctx: HttpContext) {
    const changed = await new UnblockSeats().handle(await inputOf(ctx))
    return redirectWithNotice(ctx, 'plan.unblocked', { ...changed })
  }
}

async function inputOf({ actor, params, request }: HttpContext) {
  const input = await request.validateUsing(blockValidator)
  return { ...input, eventId: String(params.id), others: 'skip' as const, actor }
}
