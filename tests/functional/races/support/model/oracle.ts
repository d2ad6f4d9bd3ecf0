/** The contract's rules as plain data and conditions: what each act must be answered, with no database and no clock. */
export type EventStatus =
  'sales_scheduled' | 'sales_open' | 'sales_paused' | 'sales_closed' | 'cancelled'
export type Side = 0 | 1

interface Seat {
  state: 'free' | 'sold' | 'blocked'
  /** `booking 3`, `cart 0`. */
  heldBy: string | null
  isHeld: boolean
}

interface Booking {
  side: Side
  key: number
  seats: number[]
  total: number
  status: 'active' | 'expired' | 'converted'
}

interface Ticket {
  seat: number
  status: 'active' | 'used' | 'void'
  refundReason: string | null
}

export interface Order {
  side: Side
  key: number
  booking: number
  total: number
  status: 'pending' | 'paid' | 'cancelled' | 'expired' | 'refunded' | 'partially_refunded'
  tickets: Ticket[]
}

export const SEATS = [1, 2, 3, 4, 5, 6].map((seat) => `seat-2-${seat}`)
export const CONFIRMED = ['paid', 'refunded', 'partially_refunded']
const CHEAPEST_OF_OTHER_CATEGORIES = 5_000
const names = (seats: number[]) => seats.map((seat) => SEATS[seat])
const sorted = (seats: number[]) => JSON.stringify([...seats].sort())

const STAFF_CHANGES: Record<string, Partial<Record<EventStatus, EventStatus>>> = {
  open: { sales_paused: 'sales_open', sales_closed: 'sales_open', sales_scheduled: 'sales_open' },
  pause: { sales_open: 'sales_paused' },
  close: {
    sales_open: 'sales_closed',
    sales_paused: 'sales_closed',
    sales_scheduled: 'sales_closed',
  },
}

export interface Expected {
  outcome: string
  details?: object
  status?: string
}
const refused = (outcome: string, details?: object): Expected => ({ outcome, details })

export class Oracle {
  status: EventStatus = 'sales_open'
  access: ['active' | 'revoked', 'active' | 'revoked'] = ['active', 'active']
  isSuspended: [boolean, boolean] = [false, false]
  price = 12_000
  seats: Seat[] = SEATS.map(() => ({ state: 'free', heldBy: null, isHeld: false }))
  bookings: Booking[] = []
  orders: Order[] = []
  carts: number[][] = []
  tickets: { order: number; ticket: number }[] = []

  get priceFrom() {
    return Math.min(CHEAPEST_OF_OTHER_CATEGORIES, this.price)
  }

  seatStatus({ state, isHeld }: Seat) {
    return state === 'free' && isHeld ? 'held' : state
  }

  book(side: Side, key: number, seats: number[]): Expected {
    const known = this.bookings.find((one) => one.side === side && one.key === key)
    if (known) return this.#repeatBooking(known, seats)
    const refusal = this.#reading(side) ?? this.#selling() ?? this.#taken(seats)
    if (refusal) return refusal
    const total = this.price * seats.length
    this.#hold(seats, `booking ${this.bookings.length}`)
    this.bookings.push({ side, key, seats, total, status: 'active' })
    return { outcome: '201', status: 'active' }
  }

  #repeatBooking(known: Booking, seats: number[]): Expected {
    if (sorted(known.seats) === sorted(seats)) return { outcome: '200', status: known.status }
    const details = { field: 'seats', stored: names(known.seats), received: names(seats) }
    return refused('409 IDEMPOTENCY_CONFLICT', details)
  }

  order(side: Side, booking: number, key: number): Expected {
    const known = this.orders.find((one) => one.side === side && one.key === key)
    if (known && known.booking === booking) return { outcome: '200', status: known.status }
    if (known) return refused('409 IDEMPOTENCY_CONFLICT')
    const from = this.bookings[booking]
    if (this.isSuspended[side]) return refused('403 PARTNER_DISABLED')
    if (from.side !== side) return refused('409 BOOKING_NOT_FOUND')
    if (this.access[side] !== 'active') return refused('403 ACCESS_DENIED')
    if (from.status === 'converted') return refused('409 BOOKING_ALREADY_CONFIRMED')
    if (from.status === 'expired') return refused('409 BOOKING_EXPIRED')
    from.status = 'converted'
    const { total } = from
    this.orders.push({ side, key, booking, total, status: 'pending', tickets: [] })
    return { outcome: '201', status: 'pending' }
  }

  repeatBooking(which: number): Expected {
    const { side, key, seats } = this.bookings[which]
    return this.book(side, key, [...seats].reverse())
  }

  repeatOrder(which: number): Expected {
    const { side, booking, key } = this.orders[which]
    return this.order(side, booking, key)
  }

  confirm(side: Side, order: number, isFullAmount: boolean): Expected {
    const found = this.orders[order]
    if (found.side !== side) return refused('404 ORDER_NOT_FOUND')
    if (CONFIRMED.includes(found.status)) return { outcome: '200', status: found.status }
    if (found.status === 'cancelled') return refused('409 ORDER_CANCELLED')
    if (found.status === 'expired') return refused('409 ORDER_EXPIRED')
    if (this.status === 'cancelled') return refused('409 EVENT_CANCELLED')
    if (!isFullAmount) return refused('422 INVALID_PARAMETERS')
    found.status = 'paid'
    for (const seat of this.bookings[found.booking].seats) {
      this.seats[seat].state = 'sold'
      this.tickets.push({ order, ticket: found.tickets.length })
      found.tickets.push({ seat, status: 'active', refundReason: null })
    }
    return { outcome: '200', status: 'paid' }
  }

  cancel(side: Side, order: number): Expected {
    const found = this.orders[order]
    if (found.side !== side) return refused('404 ORDER_NOT_FOUND')
    if (CONFIRMED.includes(found.status))
      return refused('409 ORDER_NOT_CANCELLABLE', { status: found.status })
    if (found.status === 'pending') {
      found.status = 'cancelled'
      this.#free(`booking ${found.booking}`)
    }
    return { outcome: '200', status: found.status }
  }

  find(side: Side, key: number): Expected {
    const found = this.orders.find((one) => one.side === side && one.key === key)
    return found ? { outcome: '200', status: found.status } : refused('404 ORDER_NOT_FOUND')
  }

  refund(side: Side, order: number, chosen: number[], reason: string): Expected {
    const found = this.orders[order]
    if (found.side !== side) return refused('404 ORDER_NOT_FOUND')
    const tickets = chosen.map((index) => found.tickets[index])
    const isGood = (one?: Ticket) => one?.status === 'active' || one?.refundReason === reason
    if (!tickets.every(isGood)) return refused('409 TICKET_NOT_REFUNDABLE')
    for (const ticket of tickets.filter((one) => one.status === 'active')) {
      Object.assign(ticket, { status: 'void', refundReason: reason })
      Object.assign(this.seats[ticket.seat], { state: 'free', heldBy: null, isHeld: false })
    }
    const areAll = found.tickets.every(({ refundReason }) => refundReason !== null)
    found.status = areAll ? 'refunded' : 'partially_refunded'
    return { outcome: '200', status: found.status }
  }

  show(side: Side): Expected {
    return this.#reading(side) ?? { outcome: '200', status: this.status }
  }

  scan(which: number): Expected {
    const { order, ticket } = this.tickets[which]
    const found = this.orders[order].tickets[ticket]
    if (found.status === 'used') return refused('409 TICKET_ALREADY_USED')
    if (found.status === 'void') return refused('409 TICKET_VOID')
    found.status = 'used'
    return { outcome: '200' }
  }

  storefrontHold(seats: number[]): Expected {
    const refusal = this.#selling() ?? this.#taken(seats)
    if (refusal) return refusal
    this.#hold(seats, `cart ${this.carts.length}`)
    this.carts.push(seats)
    return { outcome: '200' }
  }

  storefrontSell(cart: number): Expected {
    const refusal = this.#selling()
    if (refusal) return refusal
    const held = this.seats.filter(
      (seat) => seat.heldBy === `cart ${cart}` && seat.state === 'free'
    )
    if (held.length === 0 || !held.every((seat) => seat.isHeld))
      return refused('409 BOOKING_EXPIRED')
    for (const seat of held) seat.state = 'sold'
    return { outcome: '200' }
  }

  storefrontRelease(cart: number): Expected {
    this.#free(`cart ${cart}`)
    return { outcome: '200' }
  }

  changeStatus(trigger: 'open' | 'pause' | 'close'): Expected {
    const next = STAFF_CHANGES[trigger][this.status]
    if (!next) return refused('409 STATUS_NOT_REACHABLE')
    this.status = next
    return { outcome: '200' }
  }

  cancelEvent(): Expected {
    if (this.status === 'cancelled') return refused('409 STATUS_NOT_REACHABLE')
    this.status = 'cancelled'
    for (const booking of this.bookings) if (booking.status === 'active') booking.status = 'expired'
    for (const { tickets } of this.orders)
      for (const ticket of tickets) if (ticket.status === 'active') ticket.status = 'void'
    return { outcome: '200' }
  }

  changeBlock(seats: number[], to: 'blocked' | 'free'): Expected {
    const from = to === 'blocked' ? 'free' : 'blocked'
    const others = seats.filter((seat) => this.seatStatus(this.seats[seat]) !== from)
    if (others.length > 0) return refused('409 SEATS_NOT_AVAILABLE', { seats: names(others) })
    for (const seat of seats) this.seats[seat] = { state: to, heldBy: null, isHeld: false }
    return { outcome: '200' }
  }

  changeAccess(side: Side, access: 'active' | 'revoked'): Expected {
    this.access[side] = access
    return { outcome: '200' }
  }

  changePartner(side: Side, isSuspended: boolean): Expected {
    this.isSuspended[side] = isSuspended
    return { outcome: '200' }
  }

  reprice(price: number): Expected {
    this.price = price
    return { outcome: '200' }
  }

  lapseBooking(which: number): Expected {
    const booking = this.bookings[which]
    if (booking.status === 'active') {
      booking.status = 'expired'
      this.#lapse(`booking ${which}`)
    }
    return { outcome: '200' }
  }

  lapseOrder(which: number): Expected {
    const order = this.orders[which]
    if (order.status === 'pending') {
      order.status = 'expired'
      this.#lapse(`booking ${order.booking}`)
    }
    return { outcome: '200' }
  }

  lapseCart(which: number): Expected {
    this.#lapse(`cart ${which}`)
    return { outcome: '200' }
  }

  sweep(): Expected {
    return { outcome: '200' }
  }

  #reading(side: Side): Expected | undefined {
    if (this.isSuspended[side]) return refused('403 PARTNER_DISABLED')
    if (this.access[side] !== 'active') return refused('403 ACCESS_DENIED')
    return undefined
  }

  #selling(): Expected | undefined {
    if (this.status === 'sales_paused') return refused('409 SALES_PAUSED')
    if (this.status !== 'sales_open') return refused('409 SALES_NOT_OPEN')
    return undefined
  }

  #taken(seats: number[]): Expected | undefined {
    const taken = seats.filter((seat) => this.seatStatus(this.seats[seat]) !== 'free')
    return taken.length > 0
      ? refused('409 SEATS_NOT_AVAILABLE', { seats: names(taken) })
      : undefined
  }

  #hold(seats: number[], heldBy: string) {
    for (const seat of seats) Object.assign(this.seats[seat], { heldBy, isHeld: true })
  }

  #lapse(holder: string) {
    for (const seat of this.seats) if (seat.heldBy === holder) seat.isHeld = false
  }

  #free(holder: string) {
    for (const seat of this.seats) {
      if (seat.heldBy === holder && seat.state === 'free')
        Object.assign(seat, { heldBy: null, isHeld: false })
    }
  }
}
