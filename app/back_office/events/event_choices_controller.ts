import { findEventChoices } from '#back_office/events/event_choices'
import { filtersOf } from '#staff_area/lists'
import type { HttpContext } from '@adonisjs/core/http'

export default class EventChoicesController {
  async index(ctx: HttpContext) {
    const { q } = filtersOf(ctx, ['q'])
    return ctx.response.json(await findEventChoices(q))
  }
}
