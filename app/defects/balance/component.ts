import type { MissingOrder } from '#defects/facts/register_facts'
import type { SourcesSharingIds } from '#defects/facts/sources_sharing_ids'
import { sum } from '#shared/tenge'

/**
 * Orders and money that belong together, as plain records: what the balance is drawn from. Money is in whole tenge, moments are
 * in milliseconds.
 */
export interface Component {
  orders: ComponentOrder[]
  money: ShownMoney[]
  /** Orders that a source's register of their days does not have. */
  missingOrders: Pick<MissingOrder, 'source' | 'orderId'>[]
  sourcesSharingIds: SourcesSharingIds
}

export interface ComponentOrder {
  id: string
  /** Prices of all its tickets, valid or void; 0 where it was never paid. */
  soldTenge: bigint
  /** The payment that it was paid with. */
  paymentId: string | null
  /** Prices of its valid tickets. */
  validTenge: bigint
  /** Prices of void tickets that nobody has to return yet. */
  notYetDueTenge: bigint
  /** Prices of void tickets with which guests were admitted. */
  usedVoidTenge: bigint
}

/** One thing that a source shows: a charge of a buyer, or money that went back. */
export interface ShownMoney {
  /** `CONFIRMS`, or the source that the register is of. */
  source: string
  kind: 'charge' | 'return'
  tenge: bigint
  /** Null where it names none that identifies a payment. */
  paymentId: string | null
  /** A confirm's payment was to pay all of these orders. A register's row is of one of them, not known which. Ours or not. */
  orderIds: string[]
  /** Null where it has no date. */
  at: number | null
  /** Where a register shows it; a confirm has neither. */
  registerId?: number
  line?: number
}

/** The confirms that we received are a source of their own. */
export const CONFIRMS = 'confirms'

export const soldOf = (orders: ComponentOrder[]): bigint =>
  sum(orders.map(({ soldTenge }) => soldTenge))

export const validOf = (orders: ComponentOrder[]): bigint =>
  sum(orders.map(({ validTenge }) => validTenge))

export const sumOf = (money: ShownMoney[]): bigint => sum(money.map(({ tenge }) => tenge))

/** Payments that confirms name and that paid for no order. */
export function refusedPayments(
  orders: Pick<ComponentOrder, 'paymentId'>[],
  confirmed: ShownMoney[]
): ReadonlySet<string | null> {
  const refused = new Set(confirmed.map(({ paymentId }) => paymentId))
  for (const { paymentId } of orders) refused.delete(paymentId)
  // What names no payment may be any.
  refused.delete(null)
  return refused
}
