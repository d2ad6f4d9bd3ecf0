const Bookings = () => import('#partner_api/bookings/bookings_controller')
const Events = () => import('#partner_api/events/events_controller')
const EventSeats = () => import('#partner_api/events/event_seats_controller')
const OrderCancellations = () => import('#partner_api/orders/order_cancellations_controller')
const OrderConfirmations = () => import('#partner_api/orders/order_confirmations_controller')
const OrderRefunds = () => import('#partner_api/orders/order_refunds_controller')
const Orders = () => import('#partner_api/orders/orders_controller')

export const PREFIX = '/api/v1/partners'

/** The nine operations of the contract; what is not here is 404, and a wrong method 405. */
// prettier-ignore
export const OPERATIONS = [
  ['GET',  '/events',                   [Events, 'index']],
  ['GET',  '/events/:event_id',         [Events, 'show']],
  ['GET',  '/events/:event_id/seats',   [EventSeats, 'index']],
  ['POST', '/bookings',                 [Bookings, 'store']],
  ['POST', '/orders',                   [Orders, 'store']],
  ['GET',  '/orders',                   [Orders, 'index']],
  ['POST', '/orders/:order_id/confirm', [OrderConfirmations, 'store']],
  ['POST', '/orders/:order_id/cancel',  [OrderCancellations, 'store']],
  ['POST', '/orders/:order_id/refund',  [OrderRefunds, 'store']],
] as const
