import type { Transitions } from '#shared/transitions'

export type OrderStatus =
  'pending' | 'paid' | 'cancelled' | 'expired' | 'refunded' | 'partially_refunded'
export type OrderTrigger = 'confirm' | 'cancel' | 'expire' | 'refundSome' | 'refundAll'

/** Contract, States and transitions, Order. */
// prettier-ignore
export const ORDER_TRANSITIONS: Transitions<OrderStatus, OrderTrigger> = {
  pending:            { confirm: 'paid', cancel: 'cancelled', expire: 'expired' },
  paid:               { refundSome: 'partially_refunded', refundAll: 'refunded' },
  partially_refunded: { refundSome: 'partially_refunded', refundAll: 'refunded' },
  cancelled:          {},
  expired:            {},
  refunded:           {},
}

/** Of the order `o`, as SQL. */
export const orderStatus = (at: string) =>
  `order_status_at(${at}, o.stored_status, o.window_ends_at)`

const CONFIRMED: readonly OrderStatus[] = ['paid', 'refunded', 'partially_refunded']
export const isConfirmed = (status: OrderStatus) => CONFIRMED.includes(status)
