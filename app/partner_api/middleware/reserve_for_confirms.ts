import platform from '#config/platform'
import { Capacity } from '#shared/capacity'
import type { HttpContext } from '@adonisjs/core/http'

/** What ends a sale whose buyer may have been charged: refused by us, it can cost the buyer the ticket. */
const CONFIRM_AND_CANCEL = ['partner_api.confirm_order', 'partner_api.cancel_order']
const WAIT_MS = 5_000

/** A fifth of the connections to PostgreSQL is left to confirms and cancels. */
const reserved = Math.max(1, Math.round(platform.databaseConnections / 5))
const others = new Capacity(Math.max(1, platform.databaseConnections - reserved), WAIT_MS)

export const isConfirmOrCancel = ({ route }: HttpContext) =>
  CONFIRM_AND_CANCEL.includes(route?.name ?? '')

/** Runs the handler of a request; reads and holds wait for their share of the connections, confirms and cancels don't. */
export const withinShare = (ctx: HttpContext, handle: () => Promise<unknown>) =>
  isConfirmOrCancel(ctx) ? handle() : others.run(handle)
