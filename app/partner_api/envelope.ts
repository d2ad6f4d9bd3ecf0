import type { HttpContext } from '@adonisjs/core/http'

/** Sends the success envelope of the contract: `data`, and `meta` for lists. */
export function answer(ctx: HttpContext, data: unknown, meta?: Record<string, unknown>) {
  return answerBytes(ctx, render(data, meta))
}

export const render = (data: unknown, meta?: Record<string, unknown>) =>
  Buffer.from(JSON.stringify(meta ? { data, meta } : { data }))

/** Sends an envelope that is rendered already and may be shared by requests. */
export function answerBytes({ response }: HttpContext, body: Buffer) {
  response.header('Content-Type', 'application/json; charset=utf-8')
  return response.send(body)
}

/** 201 when the request created `data`, 200 when it repeats an earlier one. */
export function answerCreated(ctx: HttpContext, data: unknown, repeated: boolean) {
  ctx.response.status(repeated ? 200 : 201)
  return answer(ctx, data)
}
