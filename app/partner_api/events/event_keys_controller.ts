import { listEventKeys } from '#catalog/queries/event_keys'
import { assertUnderPublicLimit } from '#partner_api/middleware/limits'
import type { HttpContext } from '@adonisjs/core/http'

/** The event's public keys, for anybody who verifies tickets (RFC 7517). */
export default class EventKeysController {
  async index(ctx: HttpContext) {
    await assertUnderPublicLimit(ctx)
    const keys = await listEventKeys(ctx.params.event_id)
    ctx.response.header('Content-Type', 'application/jwk-set+json')
    return ctx.response.send(JSON.stringify({ keys }))
  }
}
