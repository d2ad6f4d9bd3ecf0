import { busyReason } from '#shared/busy'
import { Refusal, type RefusalCode } from '#shared/refusals'
import { ExceptionHandler, type HttpContext } from '@adonisjs/core/http'
import app from '@adonisjs/core/services/app'

const JSON_DOORS = /^\/api\//
const BUSY_SECONDS = 1

/** Picks the door's error shape; the only file that knows several doors. */
export default class Handler extends ExceptionHandler {
  protected debug = !app.inProduction
  protected renderStatusPages = app.inProduction

  async handle(error: unknown, ctx: HttpContext) {
    if (!JSON_DOORS.test(ctx.request.url())) return super.handle(error, ctx)
    const refusal = toRefusal(error)
    if (refusal.status! >= 500) ctx.logger.error({ err: error }, 'request failed')
    return this.#answer(refusal, ctx)
  }

  async report(error: unknown, ctx: HttpContext) {
    if (error instanceof Refusal || JSON_DOORS.test(ctx.request.url())) return
    return super.report(error, ctx)
  }

  /** The error envelope of the contract. */
  #answer({ refusalCode: code, message, details, status }: Refusal, { response }: HttpContext) {
    const { retry_after: retryAfter, ...told } = details
    if (retryAfter !== undefined) response.header('Retry-After', String(retryAfter))
    response.status(status!)
    response.header('Content-Type', 'application/json; charset=utf-8')
    return response.send(JSON.stringify({ error: { code, message, details: told } }))
  }
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (busyReason(error)) return new Refusal('SERVICE_BUSY', { retry_after: BUSY_SECONDS })
  if ((error as { code?: RefusalCode }).code === ('E_ROUTE_NOT_FOUND' as never))
    return new Refusal('NOT_FOUND')
  return new Refusal('INTERNAL_ERROR')
}
