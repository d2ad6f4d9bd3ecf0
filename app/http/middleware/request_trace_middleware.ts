import { CLIENT_CLOSED_REQUEST } from '#http/exchange'
import { countRequest } from '#telemetry/registry'
import { requestIdFor } from '#shared/request_id'
import logger from '@adonisjs/core/services/logger'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** UUID: the client's own when it sent one, else ours (completions, Order of checks). */
    requestId: string
    /** `performance.now()` when the request reached us. */
    arrivedAt: number
    /** The client's name in the log; no personal data. */
    caller?: string
    /** The partner's code, once its signature is verified. */
    partnerCode?: string
    /** The code of the refusal that was answered. */
    refusalCode?: string
    /** What the code doesn't say, for the log. */
    refusalReason?: string
  }
}

/** Gives every request an id for its response and log lines, and logs its end. */
export default class RequestTraceMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    ctx.arrivedAt = performance.now()
    ctx.requestId = requestIdFor(ctx.request.header('x-request-id'))
    ctx.logger = logger.child({ request_id: ctx.requestId })
    // The framework answers with the request's own header, whatever it holds.
    ctx.request.request.headers['x-request-id'] = ctx.requestId
    ctx.response.header('X-Request-Id', ctx.requestId)
    ctx.response.response.once('close', () => this.#end(ctx))
    return next()
  }

  #end(ctx: HttpContext) {
    const ms = performance.now() - ctx.arrivedAt
    this.#log(ctx, ms)
    countRequest({
      operation: ctx.route?.name ?? 'none',
      partner: ctx.partnerCode ?? '',
      status: statusOf(ctx),
      code: ctx.refusalCode ?? '',
      seconds: ms / 1000,
    })
  }

  #log(ctx: HttpContext, ms: number) {
    const { logger: log, request, response, route, caller } = ctx
    const isAborted = !response.response.writableFinished
    const status = statusOf(ctx)
    const line = {
      method: request.method(),
      route: route?.pattern,
      status,
      ms: Math.round(ms * 10) / 10,
      caller,
      aborted: isAborted || undefined,
      ...refusalOf(ctx, status),
    }
    // A 5xx that the client did not wait for is not logged as an error.
    log[status >= 500 && !isAborted ? 'error' : 'info'](line, 'request')
  }
}

/** For whoever looks for the reason of a refusal, or for its author; other requests leave no address in the log. */
function refusalOf(
  { request, refusalCode: code, refusalReason: reason }: HttpContext,
  status: number
) {
  return status >= 400 && status < 500 ? { code, reason, address: request.ip() } : {}
}

/** Before its headers are sent, a response has no final status. */
function statusOf({ response: { response } }: HttpContext) {
  return response.writableFinished || response.headersSent
    ? response.statusCode
    : CLIENT_CLOSED_REQUEST
}
