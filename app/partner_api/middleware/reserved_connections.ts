import { withPlace, withReserve } from '#shared/connection_places'
import type { HttpContext } from '@adonisjs/core/http'

const CONFIRM_AND_CANCEL = ['partner_api.confirm_order', 'partner_api.cancel_order']

export const isConfirmOrCancel = ({ route }: HttpContext) =>
  CONFIRM_AND_CANCEL.includes(route?.name ?? '')

/** Runs a request's handler; reads and holds wait for an unreserved connection, confirms and cancels don't. */
export const withConnectionReserve = (ctx: HttpContext, handle: () => Promise<unknown>) =>
  isConfirmOrCancel(ctx) ? withReserve(handle) : withPlace(handle)
