import { ownSessionId } from '#staff_area/sign_in/staff_session'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { refuse } from '#shared/refusals'
import EndOwnSessions from '#staff/actions/end_own_sessions'
import type { HttpContext } from '@adonisjs/core/http'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export default class OwnSessionsController {
  /** Ends one other session, or without an id all others. */
  async destroy(ctx: HttpContext) {
    const sessionId = (ctx.params.id as string | undefined) ?? null
    if (sessionId !== null && !UUID.test(sessionId)) refuse('NO_SUCH', { what: 'session' })
    const { id: staffId } = ctx.auth.use('staff').getUserOrFail()
    const asked = { staffId, sessionId, keep: ownSessionId(ctx), actor: ctx.actor }
    const sessions = await new EndOwnSessions().handle(asked)
    return redirectWithNotice(ctx, 'account.sessions_ended', { sessions })
  }
}
