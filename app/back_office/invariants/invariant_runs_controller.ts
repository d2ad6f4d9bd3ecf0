import AskForInvariantRun from '#invariants/ask_for_run'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import type { HttpContext } from '@adonisjs/core/http'

export default class InvariantRunsController {
  async store(ctx: HttpContext) {
    await new AskForInvariantRun().handle({ name: String(ctx.params.name), actor: ctx.actor })
    return redirectWithNotice(ctx, 'invariants.asked')
  }

  async storeAll(ctx: HttpContext) {
    await new AskForInvariantRun().handle({ name: null, actor: ctx.actor })
    return redirectWithNotice(ctx, 'invariants.asked_all')
  }
}
