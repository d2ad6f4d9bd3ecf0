import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

/** A row's number in the address; refuses NO_SUCH when it can't be one. */
export const idOf = ({ params }: HttpContext, what: string): number =>
  /^\d{1,9}$/.test(String(params.id)) ? Number(params.id) : refuse('NO_SUCH', { what })
