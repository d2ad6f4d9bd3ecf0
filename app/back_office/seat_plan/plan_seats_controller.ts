import { readPlan, readPlanSeats } from '#back_office/seat_plan/read_plan'
import { readSeat } from '#back_office/seat_plan/read_seat'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/** The seats of an event's plan, and the details of one seat, as JSON. */
export default class PlanSeatsController {
  async index({ params, request, response }: HttpContext) {
    const page = await readPlan(String(params.id))
    if (!page) refuse('EVENT_NOT_FOUND')
    const body = JSON.stringify(await readPlanSeats(page.event.id))
    response.header('Content-Type', 'application/json; charset=utf-8')
    if (!request.encoding(['gzip'])) return response.send(body)
    response.header('Content-Encoding', 'gzip')
    return response.send(await compress(body, { level: 4 }))
  }

  async show({ params, response }: HttpContext) {
    const seat = await readSeat(String(params.id), String(params.space))
    if (!seat) return response.status(404).json({ error: 'NO_SUCH' })
    return response.json(seat)
  }
}
