import type { ExposureTenge } from '#defects/facts/exposure'
import { Refusal } from '#shared/refusals'
import { aGate } from '#tests/functional/races/support/gates'
import { dataOf } from '#tests/support/answers'
import { cancelEvent, reprice } from '#tests/support/circumstances'
import { anEvent, aSale, book, grant, order, paymentOf, uniqueKey } from '#tests/support/fixtures'
import { cancel, confirm, refund } from '#tests/support/operations'
import { ownerRows, rows } from '#tests/support/rows'
import { setTerms } from '#tests/support/settlement'
import AdmitTicket from '#tickets/admit_ticket/admit_ticket'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const LONG_WINDOW = 300

export interface Placed {
  orderId: string
  total: number
  createdAt: Date
  windowEndsAt: Date
}

/** What a row of «Расхождения» has to say. */
export interface ExpectedDefect {
  code: string
  subclass?: string
  severity: string
  orderId: string
}

export interface ExpectedCase {
  defects: ExpectedDefect[]
  /** The parties with money at risk. */
  exposure: Partial<ExposureTenge>
}

/** One thing that went wrong; the case that the rules have to make of it. */
export interface Story {
  name: string
  produce(month: ScriptedMonth): Promise<ExpectedCase>
}

type Sale = Awaited<ReturnType<typeof aSale>>
interface PlaceOptions {
  eventId?: string
  seat?: string
  windowSeconds?: number
}

/** A partner that sells through the signed API, and makes mistakes. Windows run out because time passes. */
export class ScriptedMonth {
  #seats = ['2', '3', '1', '4'].flatMap((row) =>
    Array.from({ length: 10 }, (_, seat) => `seat-${row}-${seat + 1}`)
  )

  private constructor(readonly sale: Sale) {}

  /** The buyer's money is due back at once, so that nobody has to wait three days. */
  static async begin() {
    const sale = await aSale()
    await setTerms(sale.partner, { refundEvidenceDays: 0 })
    return new ScriptedMonth(sale)
  }

  get client() {
    return this.sale.client
  }

  nextSeat() {
    return this.#seats.shift()!
  }

  /** A pending order of one seat. */
  async place({ eventId, seat, windowSeconds = LONG_WINDOW }: PlaceOptions = {}): Promise<Placed> {
    await this.set('payment_window_seconds', windowSeconds)
    const event = eventId ?? this.sale.event.id
    const booking = dataOf(await book(this.client, event, [seat ?? this.nextSeat()]))
    const placed = dataOf(await order(this.client, booking.booking_id))
    const { order_id: orderId, total_tenge: total } = placed
    const [row] = await rows('SELECT created_at, window_ends_at FROM orders WHERE id = ?', orderId)
    return { orderId, total, createdAt: row.created_at, windowEndsAt: row.window_ends_at }
  }

  /** Confirms an order, which has to be accepted. */
  async accept(placed: Pick<Placed, 'orderId' | 'total'>, more: object = {}) {
    const { answer, payment } = await this.confirm(placed, more)
    if (answer.status !== 200) throw new Error(`An accepted confirm was expected: ${answer.text}`)
    return { payment, paid: answer.data }
  }

  /** Confirms an order with the given payment, and returns both. */
  async confirm(placed: Pick<Placed, 'orderId' | 'total'>, more: object = {}) {
    const payment = paymentOf(placed.total, more)
    return { payment, answer: await confirm(this.client, placed.orderId, payment) }
  }

  async pay(more: (placed: Placed) => object = () => ({}), options: PlaceOptions = {}) {
    const placed = await this.place(options)
    return { ...placed, ...(await this.accept(placed, more(placed))) }
  }

  /** Another event of the same partner. */
  async anotherEvent() {
    const event = await anEvent()
    await grant(this.sale.partner, event)
    return event
  }

  async set(column: 'payment_window_seconds' | 'requests_per_minute', value: number) {
    await ownerRows(`UPDATE partners SET ${column} = ? WHERE id = ?`, value, this.sale.partner.id)
  }

  /** A confirm that is turned away because the partner has spent its minute. */
  async throttled(placed: Placed, more: object = {}) {
    await this.set('requests_per_minute', 1)
    const { answer, payment } = await this.confirm(placed, more)
    await this.set('requests_per_minute', 1_000_000)
    if (answer.status !== 429) throw new Error(`429 was expected, not ${answer.text}`)
    return payment
  }
}

export const passed = ({ windowEndsAt }: Placed) =>
  delay(Math.max(0, windowEndsAt.getTime() - Date.now()) + 100)

const before = ({ createdAt }: Placed, ms: number) =>
  new Date(createdAt.getTime() - ms).toISOString()
/** The same, as a clock of that offset writes it. */
const beforeIn = (offsetHours: number, { createdAt }: Placed, ms: number) =>
  new Date(createdAt.getTime() - ms + offsetHours * HOUR_MS)
    .toISOString()
    .replace('Z', `+0${offsetHours}:00`)
const NOTHING = { exposure: {} }

/** One defect of one order that was paid in the end: nobody's money is at risk. */
const paidWith = (
  name: string,
  {
    paidAt,
    window,
    ...defect
  }: Omit<ExpectedDefect, 'orderId'> & {
    paidAt: (placed: Placed) => string
    window?: number
  }
): Story => ({
  name,
  produce: async (month) => {
    const { orderId } = await month.pay((placed) => ({ paid_at: paidAt(placed) }), {
      windowSeconds: window,
    })
    return { defects: [{ ...defect, orderId }], ...NOTHING }
  },
})

/** `PAID_BEFORE_CREATED`, so many milliseconds before. */
const early = (subclass: string, severity: string, ms: number) =>
  paidWith(`charged ${ms / SECOND_MS} s before the order: ${subclass}`, {
    code: 'PAID_BEFORE_CREATED',
    subclass,
    severity,
    paidAt: (placed) => before(placed, ms),
  })

const A: Story[] = [
  paidWith('charged in the second in which the order was made', {
    code: 'PAID_BEFORE_CREATED',
    subclass: 'RESOLUTION',
    severity: 'INFO',
    paidAt: ({ createdAt }) => `${createdAt.toISOString().slice(0, 19)}Z`,
  }),
  early('SKEW', 'INFO', 1_500),
  early('HARD', 'MEDIUM', MINUTE_MS),
  early('HARD', 'HIGH', 30 * MINUTE_MS),
  ...[1, 2, 5, 6].map((hours) =>
    paidWith(`charged ${hours} hours before the order: a wrong offset`, {
      code: 'PAID_BEFORE_CREATED',
      subclass: 'TZ_OFFSET',
      severity: 'MEDIUM',
      paidAt: (placed) => beforeIn(hours % 5 === 1 ? 6 : 5, placed, hours * HOUR_MS),
    })
  ),
  early('STALE', 'HIGH', 30 * HOUR_MS),
  paidWith('charged in a minute that is still to come', {
    code: 'PAID_IN_FUTURE',
    severity: 'MEDIUM',
    paidAt: () => new Date(Date.now() + MINUTE_MS).toISOString(),
  }),
  paidWith('local time labelled as that of Greenwich', {
    code: 'PAID_IN_FUTURE',
    subclass: 'TZ_OFFSET',
    severity: 'MEDIUM',
    paidAt: () => new Date(Date.now() + 5 * HOUR_MS).toISOString(),
  }),
  paidWith('confirmed in time, charged after the window', {
    code: 'PAID_AFTER_WINDOW',
    severity: 'MEDIUM',
    window: 60,
    paidAt: ({ windowEndsAt }) => new Date(windowEndsAt.getTime() + MINUTE_MS).toISOString(),
  }),
  paidWith('the right moment in an offset that Kazakhstan no longer has', {
    code: 'PAID_AT_OFFSET_SUSPECT',
    severity: 'LOW',
    paidAt: () => new Date(Date.now() + 6 * HOUR_MS).toISOString().replace('Z', '+06:00'),
  }),
  {
    name: 'more than half of the window between charge and confirm',
    produce: async (month) => {
      const placed = await month.place({ windowSeconds: 8 })
      const paidAt = new Date().toISOString()
      await delay(placed.createdAt.getTime() + 5 * SECOND_MS - Date.now())
      await month.accept(placed, { paid_at: paidAt })
      const { orderId } = placed
      return { defects: [{ code: 'SLOW_CONFIRM', severity: 'LOW', orderId }], ...NOTHING }
    },
  },
]

/** An order whose window of a second has passed. */
async function lapsed(month: ScriptedMonth, windowSeconds = 1) {
  const placed = await month.place({ windowSeconds })
  await passed(placed)
  return placed
}

const toBuyer = (buyer: number, ...defects: ExpectedDefect[]): ExpectedCase => ({
  defects,
  exposure: { buyer },
})

const B: Story[] = [
  {
    name: 'charged and confirmed after the window, five times',
    produce: async (month) => {
      const placed = await lapsed(month)
      const { payment } = await month.confirm(placed)
      for (let times = 0; times < 4; times++) await confirm(month.client, placed.orderId, payment)
      const { orderId, total } = placed
      const code = 'CONFIRM_ORDER_EXPIRED'
      return toBuyer(total, { code, subclass: 'LATE_CHARGE', severity: 'HIGH', orderId })
    },
  },
  {
    name: 'charged in the window, confirmed after it',
    produce: async (month) => {
      const placed = await lapsed(month)
      const { orderId, total, createdAt } = placed
      await month.confirm(placed, { paid_at: createdAt.toISOString() })
      const code = 'CONFIRM_ORDER_EXPIRED'
      return toBuyer(total, { code, subclass: 'LATE_CONFIRM', severity: 'HIGH', orderId })
    },
  },
  {
    name: 'turned away by our limit in the window, expired after it',
    produce: async (month) => {
      const placed = await month.place({ windowSeconds: 4 })
      const payment = await month.throttled(placed)
      await passed(placed)
      await confirm(month.client, placed.orderId, payment)
      const { orderId, total } = placed
      const code = 'CONFIRM_ORDER_EXPIRED'
      return toBuyer(total, { code, subclass: 'PLATFORM_FAULT', severity: 'HIGH', orderId })
    },
  },
  {
    name: 'expired, and two payments',
    produce: async (month) => {
      const placed = await lapsed(month)
      for (let times = 0; times < 2; times++) await month.confirm(placed)
      const { orderId, total } = placed
      return toBuyer(
        2 * total,
        { code: 'CONFIRM_ORDER_EXPIRED', subclass: 'LATE_CHARGE', severity: 'HIGH', orderId },
        { code: 'MULTI_CHARGE_ONE_ORDER', severity: 'HIGH', orderId }
      )
    },
  },
  {
    name: 'expired, then the same payment on a new order: one case, nothing at risk',
    produce: async (month) => {
      const first = await lapsed(month)
      const { payment } = await month.confirm(first)
      const second = await month.place()
      dataOf(await confirm(month.client, second.orderId, payment))
      const again = { orderId: second.orderId }
      return {
        defects: [
          { code: 'CONFIRM_ORDER_EXPIRED', severity: 'HIGH', orderId: first.orderId },
          { code: 'PAID_BEFORE_CREATED', subclass: 'PAYMENT_REUSED', severity: 'HIGH', ...again },
          { code: 'PAYMENT_REUSED', severity: 'INFO', ...again },
        ],
        ...NOTHING,
      }
    },
  },
  {
    name: 'cancelled, and paid all the same',
    produce: async (month) => {
      const placed = await month.place()
      dataOf(await cancel(month.client, placed.orderId))
      await month.confirm(placed)
      const { orderId, total } = placed
      return toBuyer(total, { code: 'CONFIRM_ORDER_CANCELLED', severity: 'HIGH', orderId })
    },
  },
  {
    name: 'paid for an event that was cancelled a moment ago',
    produce: async (month) => {
      const event = await month.anotherEvent()
      const placed = await month.place({ eventId: event.id, seat: 'seat-2-1' })
      await cancelEvent(event)
      await month.confirm(placed)
      const { orderId, total } = placed
      const code = 'CONFIRM_EVENT_CANCELLED'
      return toBuyer(total, { code, subclass: 'FRESH', severity: 'HIGH', orderId })
    },
  },
  {
    name: 'a wrong sum, then the right one with the same payment',
    produce: async (month) => {
      const placed = await month.place()
      const { payment } = await month.confirm({ ...placed, total: placed.total - 1 })
      const { external_payment_id: same } = payment.payment_info
      await month.accept(placed, { external_payment_id: same })
      const code = 'CONFIRM_AMOUNT_MISMATCH'
      const { orderId } = placed
      return {
        defects: [{ code, subclass: 'CORRECTED', severity: 'LOW', orderId }],
        ...NOTHING,
      }
    },
  },
  {
    name: 'a wrong sum, then the right one with another payment',
    produce: async (month) => {
      const placed = await month.place()
      await month.confirm({ ...placed, total: placed.total - 1 })
      await month.accept(placed)
      const { orderId, total } = placed
      const code = 'CONFIRM_AMOUNT_MISMATCH'
      return toBuyer(total - 1, { code, subclass: 'RECHARGED', severity: 'HIGH', orderId })
    },
  },
  {
    name: 'a wrong sum, and nothing after it',
    produce: async (month) => {
      const placed = await month.place({ windowSeconds: 2 })
      await month.confirm({ ...placed, total: placed.total + 500 })
      await passed(placed)
      const { orderId, total } = placed
      const code = 'CONFIRM_AMOUNT_MISMATCH'
      return toBuyer(total + 500, { code, subclass: 'UNRESOLVED', severity: 'HIGH', orderId })
    },
  },
  {
    name: 'an order that we never had',
    produce: async (month) => {
      const orderId = `TIX-2026-${Date.now()}`
      await month.confirm({ orderId, total: 7_000 })
      return toBuyer(7_000, { code: 'CONFIRM_UNKNOWN_ORDER', severity: 'HIGH', orderId })
    },
  },
  {
    name: 'a confirm without a readable moment, and nothing after it',
    produce: async (month) => {
      const placed = await month.place({ windowSeconds: 2 })
      await month.confirm(placed, { paid_at: 'yesterday' })
      await passed(placed)
      const { orderId, total } = placed
      return toBuyer(total, { code: 'CONFIRM_BAD_BODY', severity: 'MEDIUM', orderId })
    },
  },
  {
    name: 'turned away by our limit in the window, and nothing after it',
    produce: async (month) => {
      const placed = await month.place({ windowSeconds: 4 })
      await month.throttled(placed)
      await passed(placed)
      const { orderId, total } = placed
      return toBuyer(total, { code: 'CONFIRM_THROTTLED', severity: 'HIGH', orderId })
    },
  },
]

const C: Story[] = [
  {
    name: 'one payment for two orders',
    produce: async (month) => {
      const payment = { external_payment_id: uniqueKey('pay') }
      await month.pay(() => payment)
      const { orderId, total } = await month.pay(() => payment)
      const code = 'DUP_EXTERNAL_PAYMENT_ID'
      const defect = { code, subclass: 'ESTIMATE', severity: 'MEDIUM', orderId }
      return { defects: [defect], exposure: { platform: total } }
    },
  },
  {
    name: 'a repeated confirm has another payment',
    produce: async (month) => {
      const placed = await month.pay()
      await month.confirm(placed)
      const { orderId, total } = placed
      return toBuyer(
        total,
        { code: 'CONFIRM_REPLAY_DIVERGENT', severity: 'HIGH', orderId },
        { code: 'MULTI_CHARGE_ONE_ORDER', severity: 'HIGH', orderId }
      )
    },
  },
  {
    name: 'a repeated confirm has another payment time',
    produce: async (month) => {
      const placed = await month.pay()
      const { external_payment_id: same } = placed.payment.payment_info
      const paidAt = new Date(Date.now() - 2 * MINUTE_MS).toISOString()
      await month.confirm(placed, { external_payment_id: same, paid_at: paidAt })
      const { orderId } = placed
      return {
        defects: [{ code: 'CONFIRM_REPLAY_DIVERGENT', severity: 'LOW', orderId }],
        ...NOTHING,
      }
    },
  },
  {
    name: 'a payment id that names no payment',
    produce: async (month) => {
      const { orderId } = await month.pay(() => ({ external_payment_id: 'test' }))
      return {
        defects: [{ code: 'EXTERNAL_ID_PLACEHOLDER', severity: 'LOW', orderId }],
        ...NOTHING,
      }
    },
  },
]

const D: Story[] = [
  {
    name: 'a paid order of a cancelled event',
    produce: async (month) => {
      const event = await month.anotherEvent()
      const { orderId, total } = await month.pay(undefined, { eventId: event.id, seat: 'seat-2-1' })
      await cancelEvent(event)
      return toBuyer(total, { code: 'EVENT_CANCELLED_REFUND_DUE', severity: 'HIGH', orderId })
    },
  },
  {
    name: 'a late payment, and its seat sold to somebody else',
    produce: async (month) => {
      const placed = await month.place({ windowSeconds: 1, seat: 'seat-4-10' })
      await passed(placed)
      await month.confirm(placed)
      await month.pay(undefined, { seat: 'seat-4-10' })
      const { orderId, total } = placed
      return toBuyer(
        total,
        { code: 'CONFIRM_ORDER_EXPIRED', subclass: 'LATE_CHARGE', severity: 'HIGH', orderId },
        { code: 'SEAT_RESOLD_AFTER_EXPIRY', severity: 'INFO', orderId },
        { code: 'LATE_MONEY_NOT_RETURNED', severity: 'HIGH', orderId }
      )
    },
  },
  {
    name: 'a refund of a ticket that a guest got in with, refused',
    produce: async (month) => {
      const { orderId, paid } = await month.pay()
      const [ticket] = paid.tickets
      const gate = await aGate()
      await gate.scan(month.sale.event.id, ticket.qr_token)
      await refund(month.client, orderId, [ticket.ticket_id])
      const code = 'REFUND_OF_USED'
      const defect = { code, subclass: 'REFUSED', severity: 'MEDIUM', orderId }
      return { defects: [defect], ...NOTHING }
    },
  },
  {
    name: 'a guest let in by a phone without network after the refund',
    produce: async (month) => {
      const { orderId, total, paid } = await month.pay()
      const [ticket] = paid.tickets
      dataOf(await refund(month.client, orderId, [ticket.ticket_id]))
      const { id } = month.sale.event
      await admittedOffline(id, ticket.qr_token)
      const code = 'USED_AFTER_VOID'
      return { defects: [{ code, severity: 'HIGH', orderId }], exposure: { platform: total } }
    },
  },
  {
    name: 'a ticket for nothing',
    produce: async (month) => {
      const event = await month.anotherEvent()
      await reprice(event, { invitation: 0n })
      const { orderId } = await month.pay(undefined, { eventId: event.id, seat: 'seat-5-1' })
      return { defects: [{ code: 'ZERO_TOTAL_PAID', severity: 'LOW', orderId }], ...NOTHING }
    },
  },
]

/** A gate phone uploads later a guest that it admitted offline. */
export async function admittedOffline(eventId: string, token: string) {
  const email = `gate-${randomUUID()}@staff.test`
  const [{ id }] = await ownerRows(
    `INSERT INTO staff (email, full_name, role, password) VALUES (?, 'Aliya', 'gate', 'x') RETURNING id`,
    email
  )
  const input = {
    eventId,
    shown: { token },
    actor: { kind: 'staff', name: email, requestId: null } as const,
    scanner: { name: 'Aliya', staffId: Number(id) },
    phone: { id: randomUUID(), offlineAt: new Date(), refusedOffline: null },
  }
  await new AdmitTicket().handle(input).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.refusalCode !== 'TICKET_VOID') throw error
  })
}

/** Everything of the catalogue that a partner, a gate and staff can bring about (one list a group of the catalogue). */
export const STORIES: readonly Story[] = [...A, ...B, ...C, ...D]

/** What was sold without any mistake: nothing of it may stand in «Расхождения». */
export async function sellWell(month: ScriptedMonth): Promise<string[]> {
  const sold = [await month.pay(), await month.pay(), await month.pay()]
  const [{ paid }] = sold
  dataOf(await refund(month.client, paid.order_id, [paid.tickets[0].ticket_id]))
  const cancelled = await month.place()
  dataOf(await cancel(month.client, cancelled.orderId))
  const pending = await month.place()
  return [...sold, cancelled, pending].map(({ orderId }) => orderId)
}
