import platform from '#config/platform'
import { Capacity } from '#shared/capacity'
import type { HttpContext } from '@adonisjs/core/http'

/** They end a sale whose buyer may have been charged: a refusal by us can cost the buyer the ticket. */
const CONFIRM_AND_CANCEL = ['partner_api.confirm_order', 'partner_api.cancel_order']
const WAIT_MS = 5_000

/** A fifth of the PostgreSQL connections is reserved for confirms and cancels. */
const reserved = Math.max(1, Math.round(platform.databaseConnections / 5))
const others = new Capacity(Math.max(1, platform.databaseConnections - reserved), WAIT_MS)

export const isConfirmOrCancel = ({ route }: HttpContext) =>
  CONFIRM_AND_CANCEL.includes(route?.name ?? '')

/** Runs a request's handler; reads and holds wait for an unreserved connection, confirms and cancels don't. */
export const withConnectionReserve = (ctx: HttpContext, handle: () => Promise<unknown>) =>
  isConfirmOrCancel(ctx) ? handle() : others.run(handle)
