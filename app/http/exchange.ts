import type { HttpContext } from '@adonisjs/core/http'

/** Whether the answer is out or its client is gone: nobody waits for this exchange any more. */
export const isOver = ({ response }: HttpContext) => response.response.destroyed

/**
 * Runs `act` when the exchange ends. An exchange that has ended already, because its client went away during an
 * `await`, emits no `close` any more: then `act` runs at once.
 */
export function whenOver(ctx: HttpContext, act: () => void) {
  if (isOver(ctx)) act()
  else ctx.response.response.once('close', act)
}
