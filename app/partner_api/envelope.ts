import type { HttpContext } from '@adonisjs/core/http'

/** Success envelope of the contract: `data`, and `meta` for lists. */
export function answer({ response }: HttpContext, data: unknown, meta?: Record<string, unknown>) {
  response.header('Content-Type', 'application/json; charset=utf-8')
  return response.send(JSON.stringify(meta ? { data, meta } : { data }))
}

/** 201 for what the request created, 200 for a repeat. */
export function answerCreated(ctx: HttpContext, data: unknown, repeated: boolean) {
  ctx.response.status(repeated ? 200 : 201)
  return answer(ctx, data)
}
