import { isOpenCase } from '#defects/cases/open_exposure'
import type { Customer } from '#sales/customer'
import { statement } from '#shared/statement'

/** By what a buyer is found: one order, or all orders and bookings with an e-mail or a phone. */
export type FoundBy = 'order' | 'email' | 'phone'

export interface BuyerSearch {
  foundBy: FoundBy
  /** Order number, e-mail in any case, or phone in any spelling. */
  text: string
}

interface FoundOrder {
  id: string
  customer: Customer
  isStillBuying: boolean
  isUpcoming: boolean
  hasOpenCase: boolean
}

interface FoundBooking {
  id: string
  customer: Customer
}

const isBuyer = (customer: string): Record<Exclude<FoundBy, 'order'>, string> => ({
  email: `lower(${customer} ->> 'email') COLLATE "C" = lower(:text)`,
  phone: `buyer_phone(${customer}) = buyer_phone(jsonb_build_object('phone', :text::text))`,
})

// OFFSET 0 keeps PostgreSQL from reading all orders by their id until enough of them are the buyer's.
const selectOrders = (foundBy: FoundBy, condition: string) =>
  statement<FoundOrder, { text: string; most: number }>(
    `privacy_find_orders_by_${foundBy}`,
    `SELECT o.id, o.customer, o.stored_status = 'pending' AS "isStillBuying", e.ends_at > now() AS "isUpcoming",
            EXISTS (SELECT FROM settlement_cases c WHERE c.order_ids @> ARRAY[o.id::text] AND ${isOpenCase('c')}) AS "hasOpenCase"
       FROM (SELECT * FROM (SELECT * FROM orders o WHERE ${condition} AND buyer_erased_at IS NULL OFFSET 0) found
              ORDER BY id LIMIT :most) o
       JOIN events e ON e.id = o.event_id ORDER BY o.id`
  )
const findOrders = {
  order: selectOrders('order', 'o.id = upper(:text)'),
  email: selectOrders('email', isBuyer('o.customer').email),
  phone: selectOrders('phone', isBuyer('o.customer').phone),
}

// A booking that is held belongs to somebody who is buying at this moment.
const selectBookings = (foundBy: 'email' | 'phone') =>
  statement<FoundBooking, { text: string; most: number }>(
    `privacy_find_bookings_by_${foundBy}`,
    `SELECT id, customer
       FROM (SELECT * FROM bookings b
              WHERE ${isBuyer('b.customer')[foundBy]} AND customer IS NOT NULL AND stored_status <> 'active'
                AND buyer_erased_at IS NULL OFFSET 0) found
      ORDER BY id LIMIT :most`
  )
const findBookings = { email: selectBookings('email'), phone: selectBookings('phone') }

export interface FoundBuyer {
  /** To be erased. */
  orderIds: string[]
  bookingIds: string[]
  customers: Customer[]
  /** Pending orders, which are left alone until they have ended. */
  stillBuying: string[]
  /** Orders whose event is not over. */
  upcoming: string[]
  /** Orders in an open case of settlement. */
  inOpenCases: string[]
}

/** What erasing a buyer would erase; no more orders, and no more bookings, than `most`. */
export async function findBuyer({ foundBy, text }: BuyerSearch, most: number): Promise<FoundBuyer> {
  const orders = await findOrders[foundBy]({ text, most })
  const bookings = foundBy === 'order' ? [] : await findBookings[foundBy]({ text, most })
  const idsOf = (chosen: FoundOrder[]) => chosen.map(({ id }) => id)
  const ended = orders.filter(({ isStillBuying }) => !isStillBuying)
  return {
    orderIds: idsOf(ended),
    bookingIds: bookings.map(({ id }) => id),
    customers: [...ended, ...bookings].map(({ customer }) => customer),
    stillBuying: idsOf(orders.filter(({ isStillBuying }) => isStillBuying)),
    upcoming: idsOf(ended.filter(({ isUpcoming }) => isUpcoming)),
    inOpenCases: idsOf(ended.filter(({ hasOpenCase }) => hasOpenCase)),
  }
}
