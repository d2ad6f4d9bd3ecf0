import type { HttpContext } from '@adonisjs/core/http'

/** Success envelope of the contract: `data`, and `meta` for lists. */
export function answer(ctx: HttpContext, data: unknown, meta?: Record<string, unknown>) {
  return answerBytes(ctx, render(data, meta))
}

export const render = (data: unknown, meta?: Record<string, unknown>) =>
  Buffer.from(JSON.stringify(meta ? { data, meta } : { data }))

/** An envelope that has been rendered already, for answers that many share. */
export function answerBytes({ response }: HttpContext, body: Buffer) {
  response.header('Content-Type', 'application/json; charset=utf-8')
  return response.send(body)
}

/** 201 for what the request created, 200 for a repeat. */
export function answerCreated(ctx: HttpContext, data: unknown, repeated: boolean) {
  ctx.response.status(repeated ? 200 : 201)
  return answer(ctx, data)
}
