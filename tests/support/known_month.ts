import { dice, type Dice } from '#tests/support/dice'
import { fillMonth, type Month } from '#tests/support/filled_month'
import { HEADER } from '#tests/support/registers'
import type pg from 'pg'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const OFFSET_MS = 5 * HOUR_MS

/** An order of the month, as our database has it. */
interface MonthOrder {
  id: string
  /** The partner's number. */
  own: string
  totalTenge: number
  /** Of tickets that are valid now. */
  validTenge: number
  /** When a ticket was given back. */
  voidedAt: Date | null
  createdAt: Date
  isPaid: boolean
  /** The payment of its confirms, accepted or refused; null when nobody ever tried. */
  paymentId: string | null
  paidAt: Date | null
}

/** What a bank really did: a register that is honest has one row of it. */
interface Movement {
  kind: 'charge' | 'return'
  tenge: number
  paymentId: string | null
  /** The number that the partner's register gives; null where it names the payment alone. */
  order: string | null
  at: Date
}

/** A purchase, everything that really happened to its money, and what follows from that. */
export interface KnownStory {
  /** `chargedTwice`: a key of the scenarios below, or `honest`, `forgotten`, `unpaid`, `unknown`. */
  name: string
  seed: number
  /** Under one of these its case stands: the least of our orders; of one that we do not have, the shop's number or the bank's payment. */
  keys: string[]
  movements: Movement[]
  buyerTenge: number
  platformTenge: number
}

type Scenario = (purchase: MonthOrder[], draw: Dice) => Movement[]

const total = (orders: MonthOrder[]) => orders.reduce((sum, one) => sum + one.totalTenge, 0)
const valid = (orders: MonthOrder[]) => orders.reduce((sum, one) => sum + one.validTenge, 0)

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)

const charge = (orders: MonthOrder[], more: Partial<Movement> = {}): Movement => {
  const named = orders.find(({ isPaid }) => isPaid) ?? orders[0]
  const { own, paymentId, paidAt, createdAt } = named
  return {
    kind: 'charge',
    tenge: named.totalTenge,
    paymentId,
    order: own,
    at: paidAt ?? createdAt,
    ...more,
  }
}
const returnOf = (one: Movement, more: Partial<Movement> = {}): Movement => ({
  ...one,
  kind: 'return',
  at: later(one.at, 2 * HOUR_MS),
  ...more,
})
const again = (one: Movement): Movement => ({
  ...one,
  paymentId: `${one.paymentId}-again`,
  at: later(one.at, 60_000),
})
const half = (tenge: number) => Math.floor(tenge / 2)

/** What may have happened to one order that was paid in time; its tickets are valid. */
const SALES: Record<string, Scenario> = {
  chargedTwice: (orders) => [charge(orders), again(charge(orders))],
  chargedTwiceAndReturned: (orders) => {
    const second = again(charge(orders))
    return [charge(orders), second, returnOf(second)]
  },
  chargedTwiceAndTheFirstReturned: (orders) => {
    const first = charge(orders)
    return [first, again(first), returnOf(first)]
  },
  chargedTwiceAndHalfReturned: (orders) => {
    const second = again(charge(orders))
    return [charge(orders), second, returnOf(second, { tenge: half(second.tenge) })]
  },
  chargedMore: (orders) => [charge(orders, { tenge: total(orders) + 1_300 })],
  chargedLess: (orders) => [charge(orders, { tenge: total(orders) - 1_300 })],
  returnedWithoutVoid: (orders) => [charge(orders), returnOf(charge(orders))],
  halfReturnedWithoutVoid: (orders) => [
    charge(orders),
    returnOf(charge(orders), { tenge: half(total(orders)) }),
  ],
  namedByPaymentAlone: (orders) => [charge(orders, { order: null })],
  namedByOrderAlone: (orders) => [charge(orders, { paymentId: null })],
  spelledInCapitals: (orders) => [charge(orders, { order: orders[0].own.toUpperCase() })],
}

/** Of an order with tickets that were given back. */
const VOIDS: Record<string, Scenario> = {
  refunded: (orders) => [charge(orders), returnOf(charge(orders), { at: orders[0].voidedAt! })],
  refundedByHalf: (orders) => [
    charge(orders),
    returnOf(charge(orders), { at: orders[0].voidedAt!, tenge: half(total(orders)) }),
  ],
  refundedUnderAnIdOfItsOwn: (orders) => [
    charge(orders),
    returnOf(charge(orders), {
      at: orders[0].voidedAt!,
      paymentId: `back-${orders[0].paymentId}`,
    }),
  ],
  neverRefunded: (orders) => [charge(orders)],
}

/** Of an order that was charged and whose confirm came too late. */
const LATE: Record<string, Scenario> = {
  chargedLate: (orders) => [charge(orders)],
  chargedLateAndReturned: (orders) => [charge(orders), returnOf(charge(orders))],
  chargedLateAndHalfReturned: (orders) => [
    charge(orders),
    returnOf(charge(orders), { tenge: half(total(orders)) }),
  ],
  chargedLateTwice: (orders) => [charge(orders), again(charge(orders))],
}

/** Of an order that expired, whose payment was then sent for the next order. */
const RETRIED: Record<string, Scenario> = {
  paidAtLast: (orders) => [charge(orders)],
  paidAtLastNamingTheFirst: (orders) => [charge(orders, { order: orders[0].own })],
  paidAtLastAndCharged: (orders) => [charge(orders), again(charge(orders))],
  paidAtLastAndReturned: (orders) => [charge(orders), returnOf(charge(orders))],
}

/** Of several orders with one payment. */
const CARTS: Record<string, Scenario> = {
  cartInOneRow: (orders) => [charge(orders, { tenge: total(orders) })],
  cartInRowsOfItsOrders: (orders) =>
    orders.map((order) => charge([order], { at: charge(orders).at })),
  cartChargedOnce: (orders) => [charge(orders)],
}

/** Of an order that nobody tried to pay, as far as we know. */
const UNPAID: Record<string, Scenario> = {
  neverConfirmed: (orders) => [charge(orders, { paymentId: `unsent-${orders[0].own}` })],
  neverConfirmedAndReturned: (orders) => {
    const own = charge(orders, { paymentId: `unsent-${orders[0].own}` })
    return [own, returnOf(own)]
  },
}

const honest: Scenario = (orders) => [charge(orders)]

/** Money for an order that we never had. */
const UNKNOWN_EVERY = 200

export interface KnownMonth extends Month {
  /** Between the days of the two registers of the partner's shop. */
  middle: Date
  stories: KnownStory[]
  files: { shop: [string, string]; bank: string }
}

/**
 * A month of `orders` orders, and what really happened to the money of each purchase. The partner's shop has a register of each half of
 * the month; its bank one of the second half, which names payments alone. In the first half the shop forgets some sales.
 */
export async function aKnownMonth(
  database: pg.Client,
  size: { partnerCode: string; prefix: string; orders: number },
  firstSeed: number
): Promise<KnownMonth> {
  const month = await fillMonth(database, { ...size, ticketsPerOrder: 1 })
  await adjust(database, month)
  const orders = await ordersOf(database, month)
  const middle = later(month.from, 15 * DAY_MS)
  const purchases = [...Map.groupBy(orders, ({ id, paymentId }) => paymentId ?? id).values()]
  const stories = purchases.map((purchase, index) =>
    storyOf(purchase, firstSeed + index, { middle, to: month.to })
  )
  const unknown = orders
    .filter((_, index) => index % UNKNOWN_EVERY === 0)
    .map((order, index) => unknownStory(order, firstSeed + purchases.length + index))
  const all = [...stories, ...unknown]
  const movements = all.flatMap((story) => story.movements)
  const before = movements.filter(({ at }) => at < middle)
  const after = movements.filter(({ at }) => at >= middle)
  return {
    ...month,
    middle,
    stories: all,
    files: { shop: [fileOfShop(before), fileOfShop(after)], bank: fileOfBank(after) },
  }
}

/** Changes what only the owner of the tables can change, without their guards. */
async function adjust(database: pg.Client, { partnerId }: Month) {
  await database.query('SET session_replication_role = replica')
  for (const statement of [...PAY_CARTS, MAKE_REFUNDS_DUE])
    await database.query(statement, [partnerId])
  await database.query('SET session_replication_role = origin')
}

const CART_PAYMENT = `'pay-cart-' || left(right(o.id, 7), 5)`
const IS_OF_CART = `o.partner_id = $1 AND right(o.id, 2) IN ('20', '21', '22')`
/** Of every hundred orders three are a cart with one payment. */
const PAY_CARTS = [
  `UPDATE confirm_attempts a SET external_payment_id = ${CART_PAYMENT} FROM orders o
    WHERE o.id = a.order_id_sent AND ${IS_OF_CART}`,
  `UPDATE orders o SET payment_external_id = ${CART_PAYMENT} WHERE ${IS_OF_CART}`,
]
/** What buyers are owed is due at once. */
const MAKE_REFUNDS_DUE =
  'UPDATE settlement_terms SET refund_evidence_days = 0 WHERE partner_id = $1'

async function ordersOf(database: pg.Client, { partnerId }: Month) {
  const { rows } = await database.query<MonthOrder>(
    `SELECT o.id, o.partner_order_id AS own, o.total_tenge::int AS "totalTenge", o.created_at AS "createdAt",
            o.confirmed_at IS NOT NULL AS "isPaid",
            coalesce(t.valid, 0)::int AS "validTenge", t.voided_at AS "voidedAt",
            coalesce(o.payment_external_id, a.payment) AS "paymentId", coalesce(o.payment_paid_at, a.paid_at) AS "paidAt"
       FROM orders o
       LEFT JOIN LATERAL (SELECT sum(price_tenge) FILTER (WHERE status <> 'void') AS valid, max(voided_at) AS voided_at
                            FROM tickets WHERE order_id = o.id) t ON true
       LEFT JOIN LATERAL (SELECT max(external_payment_id) AS payment, max(paid_at) AS paid_at
                            FROM confirm_attempts WHERE order_id_sent = o.id) a ON true
      WHERE o.partner_id = $1 ORDER BY o.id`,
    [partnerId]
  )
  return rows
}

interface MonthEdges {
  middle: Date
  to: Date
}

function storyOf(orders: MonthOrder[], seed: number, { middle, to }: MonthEdges): KnownStory {
  const draw = dice(seed)
  const [first] = orders
  const isForgotten = isSale(orders) && charge(orders).at < middle && draw(40) === 0
  const [name, scenario] = drawScenario(orders, draw)
  const happened = isForgotten ? honest(orders, draw) : scenario(orders, draw)
  const waitMs = draw(6) * DAY_MS
  const within = happened.map((one) => {
    const at = one.kind === 'return' ? later(one.at, waitMs) : one.at
    return { ...one, at: earlier(at, later(to, -60_000)) }
  })
  const left = charged(within) - returned(within) - valid(orders)
  return {
    name: isForgotten ? 'forgotten' : name,
    seed,
    keys: [first.id],
    movements: isForgotten ? [] : within,
    buyerTenge: Math.max(0, left),
    platformTenge: Math.max(0, -left) + (isForgotten ? valid(orders) : 0),
  }
}

const isSale = (orders: MonthOrder[]) =>
  orders.length === 1 && orders[0].isPaid && orders[0].voidedAt === null

const earlier = (one: Date, other: Date) => (one < other ? one : other)
const sumOf = (kind: Movement['kind']) => (movements: Movement[]) =>
  movements.filter((one) => one.kind === kind).reduce((sum, { tenge }) => sum + tenge, 0)
const charged = sumOf('charge')
const returned = sumOf('return')

/** Of sales and of orders that nobody paid most are ordinary. */
function drawScenario(orders: MonthOrder[], draw: Dice): [string, Scenario] {
  const [first] = orders
  if (orders.every(({ isPaid }) => isPaid) && orders.length > 1) return oneOf(CARTS, draw)
  if (orders.length > 1) return oneOf(RETRIED, draw)
  if (first.paymentId === null) return draw(10) > 0 ? ['unpaid', () => []] : oneOf(UNPAID, draw)
  if (!first.isPaid) return oneOf(LATE, draw)
  if (first.voidedAt) return oneOf(VOIDS, draw)
  return draw(3) > 0 ? ['honest', honest] : oneOf(SALES, draw)
}

function oneOf(scenarios: Record<string, Scenario>, draw: Dice): [string, Scenario] {
  const entries = Object.entries(scenarios)
  return entries[draw(entries.length)]
}

function unknownStory({ paidAt, createdAt }: MonthOrder, seed: number): KnownStory {
  const draw = dice(seed)
  const orderId = `unknown-${seed}`
  const one: Movement = {
    kind: 'charge',
    tenge: 7_000 + 1_000 * draw(5),
    paymentId: `pay-${orderId}`,
    order: orderId,
    at: paidAt ?? createdAt,
  }
  const movements = draw(3) === 0 ? [one, again(one)] : [one]
  return {
    name: 'unknown',
    seed,
    keys: [orderId, one.paymentId!],
    movements,
    buyerTenge: charged(movements),
    platformTenge: 0,
  }
}

const fileOfShop = (movements: Movement[]) =>
  fileOf(HEADER, movements, ({ order }) => [order ?? ''])
const fileOfBank = (movements: Movement[]) =>
  fileOf(
    'ID платежа;Дата оплаты;Сумма;Тип операции',
    movements.filter(({ paymentId }) => paymentId !== null),
    () => []
  )

function fileOf(header: string, movements: Movement[], numberOf: (one: Movement) => string[]) {
  const lines = movements
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map((one) => {
      const isReturn = one.kind === 'return'
      return [
        ...numberOf(one),
        one.paymentId ?? '',
        localTime(one.at),
        isReturn ? -one.tenge : one.tenge,
        isReturn ? 'Возврат' : 'Оплата',
      ].join(';')
    })
  return [header, ...lines].join('\r\n')
}

/** 31.10.2026 23:59:59, at the venues. */
function localTime(at: Date) {
  const [day, time] = later(at, OFFSET_MS).toISOString().slice(0, 19).split('T')
  return `${day.split('-').toReversed().join('.')} ${time}`
}
