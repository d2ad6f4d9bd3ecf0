import logger from '@adonisjs/core/services/logger'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { randomUUID } from 'node:crypto'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** UUID: the client's own when it sent one, else ours (completions, Order of checks). */
    requestId: string
    /** `performance.now()` when the request reached us. */
    arrivedAt: number
    /** Who asked, for the log; never a person's data. */
    caller?: string
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Gives every request an id that every response and log line carries, and logs how it ended. */
export default class RequestTraceMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const sent = ctx.request.header('x-request-id')
    ctx.arrivedAt = performance.now()
    ctx.requestId = sent && UUID.test(sent) ? sent : randomUUID()
    ctx.logger = logger.child({ request_id: ctx.requestId })
    ctx.response.header('X-Request-Id', ctx.requestId)
    ctx.response.response.once('close', () => this.#log(ctx))
    return next()
  }

  #log({ logger: log, request, response, route, caller, arrivedAt }: HttpContext) {
    const status = response.response.statusCode
    const line = {
      method: request.method(),
      route: route?.pattern,
      status,
      ms: Math.round((performance.now() - arrivedAt) * 10) / 10,
      caller,
      aborted: response.response.writableFinished ? undefined : true,
    }
    log[status >= 500 ? 'error' : 'info'](line, 'request')
  }
}
