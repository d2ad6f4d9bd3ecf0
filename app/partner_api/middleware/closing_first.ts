import platform from '#config/platform'
import { Capacity } from '#shared/capacity'
import type { HttpContext } from '@adonisjs/core/http'

/** What ends a sale whose buyer may have been charged: refused by us, it can cost the buyer the ticket. */
const CLOSING_SALES = ['partner_api.confirm_order', 'partner_api.cancel_order']
const WAIT_MS = 5_000

/** A fifth of the connections to PostgreSQL is left to confirms and cancels. */
const forClosing = Math.max(1, Math.round(platform.databaseConnections / 5))
const others = new Capacity(Math.max(1, platform.databaseConnections - forClosing), WAIT_MS)

export const isClosingSale = ({ route }: HttpContext) => CLOSING_SALES.includes(route?.name ?? '')

/** Runs the handler of a request; reads and holds wait for their share of the connections, confirms and cancels don't. */
export const inTurn = (ctx: HttpContext, handle: () => Promise<unknown>) =>
  isClosingSale(ctx) ? handle() : others.run(handle)
