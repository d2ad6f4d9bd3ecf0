import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

/** The row id in the route's parameters; refuses NO_SUCH when it is not a number. */
export const idOf = ({ params }: HttpContext, what: string): number =>
  /^\d{1,9}$/.test(String(params.id)) ? Number(params.id) : refuse('NO_SUCH', { what })
