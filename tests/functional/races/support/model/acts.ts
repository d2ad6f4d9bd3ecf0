import fc, { type AsyncCommand } from 'fast-check'
import { SEATS, type Oracle, type Side } from './oracle.js'
import type { Observed, World } from './world.js'

export interface Real {
  world: World
  /** What must hold after every act. */
  check(act: Act, oracle: Oracle, observed: Observed): Promise<void>
}

type List = 'bookings' | 'orders' | 'carts' | 'tickets'
export type Name = Exclude<
  {
    [Key in keyof Oracle]: Oracle[Key] extends (...args: any[]) => any ? Key : never
  }[keyof Oracle],
  'seatStatus'
>
/** Stands for "the n-th booking so far", whatever there are by then. */
class Nth {
  constructor(
    readonly list: List,
    readonly n: number
  ) {}

  in = (oracle: Pick<Oracle, List>) => this.n % oracle[this.list].length
  toString = () => `${this.list}[${this.n}]`
}

/** One act of somebody; the oracle and the product are asked the same. */
export class Act implements AsyncCommand<Oracle, Real> {
  constructor(
    readonly name: Name,
    readonly args: readonly unknown[]
  ) {}

  check = (oracle: Readonly<Oracle>) =>
    this.args.every((arg) => !(arg instanceof Nth) || oracle[arg.list].length > 0)

  async run(oracle: Oracle, { world, check }: Real) {
    const args = this.resolve(oracle)
    const expected = this.#askOracle(oracle, args)
    const observed = await this.ask(world, args)
    const withDetails = {
      outcome: observed.outcome,
      ...(expected.details && { details: observed.details }),
    }
    const withStatus = { ...withDetails, ...(expected.status && { status: observed.status }) }
    if (JSON.stringify(withStatus) !== JSON.stringify(expected)) {
      const words = [withStatus, expected].map((one) => JSON.stringify(one))
      throw new Error(`${this.toString()} was answered ${words[0]}, must be ${words[1]}`)
    }
    await check(this, oracle, observed)
  }

  resolve(oracle: Pick<Oracle, List>) {
    const nth = this.args.find((arg) => arg instanceof Nth)
    return this.args.map((arg) => {
      if (arg instanceof Nth) return arg.in(oracle)
      return arg === 'owner' ? (oracle[nth!.list][nth!.in(oracle)] as { side: Side }).side : arg
    })
  }

  ask = (world: World, args: unknown[]) =>
    (world[this.name] as (...values: unknown[]) => ReturnType<World['book']>)(...args)

  #askOracle(oracle: Oracle, args: unknown[]) {
    const method = oracle[this.name] as (...values: unknown[]) => ReturnType<Oracle['book']>
    const { outcome, details, status } = method.apply(oracle, args)
    return { outcome, ...(details && { details }), ...(status && { status }) }
  }

  toString = () => `${this.name}(${this.args.map(String).join(', ')})`
}

const side = fc.constantFrom(0, 1)
/** Mostly whom the booking or order belongs to, now and then the other one. */
const owner = fc.constantFrom('owner', 'owner', 'owner', 'owner', 'owner', 0, 1)
const key = fc.nat({ max: 11 })
const seats = fc.uniqueArray(fc.nat({ max: SEATS.length - 1 }), { minLength: 1, maxLength: 3 })
const nth = (list: List) => fc.nat({ max: 11 }).map((n) => new Nth(list, n))
const act = (name: Name, ...args: fc.Arbitrary<unknown>[]) =>
  fc.tuple(...args).map((values) => new Act(name, values))
const often = (times: number, one: fc.Arbitrary<Act>) => Array.from({ length: times }, () => one)

const SALES: fc.Arbitrary<Act>[] = [
  ...often(7, act('book', side, key, seats)),
  ...often(9, act('order', owner, nth('bookings'), key)),
  ...often(9, act('confirm', owner, nth('orders'), fc.constantFrom(true, true, true, false))),
  ...often(2, act('cancel', owner, nth('orders'))),
  act('repeatBooking', nth('bookings')),
  act('repeatOrder', nth('orders')),
  act('find', side, key),
  act('show', side),
]

const TICKETS: fc.Arbitrary<Act>[] = [
  ...often(
    4,
    act(
      'refund',
      owner,
      nth('orders'),
      fc.uniqueArray(fc.constantFrom(0, 0, 0, 1, 2), { minLength: 1, maxLength: 2 }),
      fc.constantFrom('ill', 'late')
    )
  ),
  ...often(3, act('scan', nth('tickets'))),
]

const STOREFRONT: fc.Arbitrary<Act>[] = [
  act('storefrontHold', seats),
  ...often(2, act('storefrontSell', nth('carts'))),
  act('storefrontRelease', nth('carts')),
]

const TIME: fc.Arbitrary<Act>[] = [
  act('lapseBooking', nth('bookings')),
  act('lapseOrder', nth('orders')),
  act('lapseCart', nth('carts')),
  act('sweep'),
]

const STAFF: fc.Arbitrary<Act>[] = [
  act('changeStatus', fc.constantFrom('open', 'open', 'open', 'pause', 'close')),
  act('changeBlock', seats, fc.constantFrom('blocked', 'free')),
  act('changeAccess', side, fc.constantFrom('active', 'active', 'active', 'revoked')),
  act('changePartner', side, fc.constantFrom(false, false, false, true)),
  act('reprice', fc.constantFrom(4_000, 12_000, 20_000)),
  fc.nat({ max: 5 }).map((dice) => new Act(dice === 0 ? 'cancelEvent' : 'sweep', [])),
]

/** A paid order of one partner and a pending one of the other, so that every act finds something to act on. */
export const OPENING = [
  new Act('book', [0, 0, [0]]),
  new Act('order', [0, 0, 0]),
  new Act('confirm', [0, 0, true]),
  new Act('book', [1, 0, [1, 2]]),
  new Act('order', [1, 1, 0]),
  new Act('storefrontHold', [[3]]),
]

/** All nine operations by two partners, the storefront, staff, gates and time; a cancellation of the event is rare. */
export const EVERY_ACT = [...SALES, ...TICKETS, ...STOREFRONT, ...TIME, ...STAFF]
