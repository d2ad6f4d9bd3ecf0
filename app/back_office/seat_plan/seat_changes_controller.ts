import { readPlan } from '#back_office/seat_plan/read_plan'
import { followSeats } from '#back_office/seat_plan/seat_watch'
import { whenOver } from '#http/exchange'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import { PassThrough } from 'node:stream'

/** Seats as they change: server-sent events `seats` (all of them), `change` and `beat`. */
export default class SeatChangesController {
  async index(ctx: HttpContext) {
    const { params, response } = ctx
    const page = await readPlan(String(params.id))
    if (!page) refuse('EVENT_NOT_FOUND')
    response.header('Content-Type', 'text/event-stream; charset=utf-8')
    // Without this header a buffering proxy would delay the events.
    response.header('X-Accel-Buffering', 'no')
    const stream = new PassThrough()
    whenOver(ctx, () => stream.destroy())
    stream.write('retry: 2000\n\n')
    followSeats(page.event.id, stream)
    return response.stream(stream)
  }
}
