const Bookings = () => import('#partner_api/bookings/bookings_controller')
const Events = () => import('#partner_api/events/events_controller')
const EventSeats = () => import('#partner_api/events/event_seats_controller')
const EventKeys = () => import('#partner_api/events/event_keys_controller')
const OpenapiDocuments = () => import('#partner_api/reference/openapi_documents_controller')
const OrderCancellations = () => import('#partner_api/orders/order_cancellations_controller')
const OrderConfirmations = () => import('#partner_api/orders/order_confirmations_controller')
const OrderRefunds = () => import('#partner_api/orders/order_refunds_controller')
const Orders = () => import('#partner_api/orders/orders_controller')

/** The nine operations of the contract, with their operation ids; other paths are 404, other methods 405. */
// prettier-ignore
export const OPERATIONS = [
  ['list_events',      'GET',  '/events',                   [Events, 'index']],
  ['get_event',        'GET',  '/events/:event_id',         [Events, 'show']],
  ['list_seats',       'GET',  '/events/:event_id/seats',   [EventSeats, 'index']],
  ['create_booking',   'POST', '/bookings',                 [Bookings, 'store']],
  ['create_order',     'POST', '/orders',                   [Orders, 'store']],
  ['find_order',       'GET',  '/orders',                   [Orders, 'index']],
  ['confirm_order',    'POST', '/orders/:order_id/confirm', [OrderConfirmations, 'store']],
  ['cancel_order',     'POST', '/orders/:order_id/cancel',  [OrderCancellations, 'store']],
  ['refund_order',     'POST', '/orders/:order_id/refund',  [OrderRefunds, 'store']],
] as const

/** Reads that need no signature. */
// prettier-ignore
export const PUBLIC_READS = [
  ['get_description',  'GET',  '/openapi.json',               [OpenapiDocuments, 'show']],
  ['get_event_keys',   'GET',  '/events/:event_id/jwks.json', [EventKeys, 'index']],
] as const
