import type { ServerProps } from '#staff_area/page_props'
import type { SeatPlanPage } from '#back_office/seat_plan/seat_plan_props'
import { readPlan } from '#back_office/seat_plan/read_plan'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

export default class SeatPlansController {
  async show({ inertia, params }: HttpContext) {
    const page = await readPlan(String(params.id))
    if (!page) refuse('EVENT_NOT_FOUND')
    return inertia.render('seat_plan/show', page satisfies ServerProps<SeatPlanPage>)
  }
}
