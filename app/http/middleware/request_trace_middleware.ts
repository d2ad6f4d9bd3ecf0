import { CLIENT_CLOSED_REQUEST } from '#http/abandoned'
import { countRequest } from '#telemetry/registry'
import { requestIdFor } from '#shared/request_id'
import app from '@adonisjs/core/services/app'
import logger from '@adonisjs/core/services/logger'
import server from '@adonisjs/core/services/server'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** UUID: the client's own when it sent one, else ours (completions, Order of checks). */
    requestId: string
    /** `performance.now()` when the request reached us. */
    arrivedAt: number
    /** Who asked, for the log; never a person's data. */
    caller?: string
    /** The partner's code, once its signature has been verified. */
    partnerCode?: string
    /** What the answer refuses with. */
    refusalCode?: string
  }
}

/** Gives every request an id that every response and log line carries, and logs how it ended. */
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
    // A client that keeps its connection open must not keep a process alive that has been told to stop.
    if (app.isTerminating) setImmediate(() => server.getNodeServer()?.closeIdleConnections())
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
    }
    // What a client does not wait for is no failure of ours.
    log[status >= 500 && !isAborted ? 'error' : 'info'](line, 'request')
  }
}

/** Before its headers are sent an answer has a status of its own only in name. */
function statusOf({ response: { response } }: HttpContext) {
  return response.writableFinished || response.headersSent
    ? response.statusCode
    : CLIENT_CLOSED_REQUEST
}
