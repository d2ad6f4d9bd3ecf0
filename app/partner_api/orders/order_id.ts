import { refuse } from '#shared/refusals'

const SHAPE = /^[A-Z][A-Z0-9]{1,9}-\d{4}-\d{6,18}$/

/** An id with the shape of our order ids; others refuse ORDER_NOT_FOUND without a query. */
export function readOrderId(sent: string): string {
  if (!SHAPE.test(sent)) refuse('ORDER_NOT_FOUND')
  return sent
}
