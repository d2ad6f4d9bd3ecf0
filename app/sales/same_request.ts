import { CUSTOMER_FIELDS, type Customer } from '#sales/customer'
import { refuse } from '#shared/refusals'

/** Refuses IDEMPOTENCY_CONFLICT with the first differing field (contract, Idempotency). */
function assertSame(field: string, stored: unknown, received: unknown) {
  if (stored !== received) {
    refuse('IDEMPOTENCY_CONFLICT', { field, stored: stored ?? null, received: received ?? null })
  }
}

interface ComparedBooking {
  eventId: string
  seats: readonly string[]
  customer: Customer | null
}

/** The stored row. The buyer of an erased one is no longer known, so a repeat cannot differ in it. */
type Stored<Compared> = Compared & { isBuyerErased: boolean }

/** The set of seats is compared without regard to order, everything else as sent (completions, Shapes). */
export function assertSameBooking(stored: Stored<ComparedBooking>, received: ComparedBooking) {
  assertSame('event_id', stored.eventId, received.eventId)
  const inOrder = (seats: readonly string[]) => JSON.stringify([...seats].sort())
  if (inOrder(stored.seats) !== inOrder(received.seats)) {
    const { seats } = received
    refuse('IDEMPOTENCY_CONFLICT', { field: 'seats', stored: stored.seats, received: seats })
  }
  if (!stored.isBuyerErased) assertSameCustomer(stored.customer, received.customer)
}

interface ComparedOrder {
  bookingId: string
  customer: Customer | null
}

export function assertSameOrder(stored: Stored<ComparedOrder>, received: ComparedOrder) {
  assertSame('booking_id', stored.bookingId, received.bookingId)
  if (!stored.isBuyerErased) assertSameCustomer(stored.customer, received.customer)
}

function assertSameCustomer(stored: Customer | null, received: Customer | null) {
  if (stored === null || received === null) {
    if (stored !== received) refuse('IDEMPOTENCY_CONFLICT', { field: 'customer', stored, received })
    return
  }
  for (const field of CUSTOMER_FIELDS) {
    assertSame(`customer.${field}`, stored[field], received[field])
  }
}
