import { test } from '@japa/runner'
import fc from 'fast-check'
import { EVERY_ACT, OPENING, type Act } from './support/model/acts.js'
import { assertAllowedSteps, statusesOf, type Statuses } from './support/model/allowed_steps.js'
import { Oracle, SEATS, type Side } from './support/model/oracle.js'
import { World, type Observed } from './support/model/world.js'
import { brokenRules } from './support/invariants.js'

const RUNS = Number(process.env.MODEL_RUNS ?? 40)
const SEED = process.env.MODEL_SEED ? Number(process.env.MODEL_SEED) : undefined
const ACTS = { maxCommands: 30, size: 'max' } as const
const SIDES: Side[] = [0, 1]
const SEEN_IN_ANY_RUN = [
  'book 201',
  'book 409 SEATS_NOT_AVAILABLE',
  'repeatBooking 200',
  'repeatOrder 200',
  'order 201',
  'order 409 BOOKING_NOT_FOUND',
  'confirm 200',
  'confirm 404 ORDER_NOT_FOUND',
  'cancel 409 ORDER_NOT_CANCELLABLE',
  'refund 200',
  'scan 200',
  'storefrontSell 200',
]

test.group('Model of the contract', () => {
  test(`${RUNS} random histories of up to 30 acts: every answer is the one of the contract`, async ({
    assert,
  }) => {
    const answered: Record<string, number> = {}
    const property = fc.asyncProperty(fc.noBias(fc.commands(EVERY_ACT, ACTS)), async (commands) => {
      const world = await World.make()
      let before: Statuses | undefined
      const check = async ({ name }: Act, oracle: Oracle, observed: Observed) => {
        const kind = `${name} ${observed.outcome}`
        answered[kind] = (answered[kind] ?? 0) + 1
        const [now] = await Promise.all([
          statusesOf(world.event.id),
          assertRules(world),
          assertSameSeats(world, oracle),
          ...SIDES.map((side) => assertNewestState(world, oracle, side)),
        ])
        assertAllowedSteps(before, now)
        before = now
      }
      const start = () => ({ model: new Oracle(), real: { world, check } })
      await fc.asyncModelRun(start, [...OPENING, ...commands])
    })
    await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: false })
    if (process.env.MODEL_RUNS) console.log(answered)
    // Histories that never got anywhere would prove nothing.
    assert.deepEqual(
      SEEN_IN_ANY_RUN.filter((kind) => !answered[kind]),
      []
    )
  }).timeout(3_600_000)

  test(`${RUNS} random sets of simultaneous acts: no invariant is broken, nothing fails`, async () => {
    const crowd = fc.array(
      fc.array(fc.oneof(...EVERY_ACT), { minLength: 2, maxLength: 10, size: 'max' }),
      { minLength: 3, maxLength: 6, size: 'max' }
    )
    const property = fc.asyncProperty(crowd, async (batches) => {
      const world = await World.make()
      for (const act of OPENING) await attempt(world, act)
      for (const batch of batches) {
        await Promise.all(batch.map((act) => attempt(world, act)))
        await assertRules(world)
      }
    })
    await fc.assert(property, { numRuns: RUNS, seed: SEED })
  }).timeout(3_600_000)
})

async function attempt(world: World, act: Act) {
  const { bookings, orders, carts, tokens } = world
  const lists = { bookings, orders, carts, tickets: tokens } as unknown as Oracle
  if (!act.check(lists)) return
  const { outcome } = await act.ask(world, act.resolve(lists))
  if (!/^(200|201|403|404|409|422)\b/.test(outcome)) throw new Error(`${act}: ${outcome}`)
}

async function assertRules({ event }: World) {
  const broken = await brokenRules(event.id)
  if (broken.length > 0) throw new Error(JSON.stringify(broken))
}

/** Compares the live seats, as a partner with a grant reads them, with the model. */
async function assertSameSeats({ partners, event }: World, oracle: Oracle) {
  const side = SIDES.find((one) => !oracle.isSuspended[one] && oracle.access[one] === 'active')
  if (side === undefined) return
  const { data } = await partners[side].client.get(`/events/${event.id}/seats?sector=sector-a`)
  const shown = SEATS.map((id) => data.find((seat: { space_id: string }) => seat.space_id === id))
  const actual = shown.map(({ status, price_tenge: price }) => `${status} ${price}`)
  const expected = oracle.seats.map((seat) => `${oracle.seatStatus(seat)} ${oracle.price}`)
  if (String(actual) !== String(expected)) throw new Error(`seats ${actual}, must be ${expected}`)
}

/** A partner's reader knows the newest state of every granted event, and of no other. */
async function assertNewestState({ readers, event }: World, oracle: Oracle, side: Side) {
  const mayRead = await readers[side].poll()
  if (mayRead === oracle.isSuspended[side]) throw new Error(`partner ${side} may read: ${mayRead}`)
  if (!mayRead) return
  const seen = readers[side].events.get(event.id)
  const actual = seen && [seen.status, seen.access, seen.price_from_tenge]
  const expected = [oracle.status, oracle.access[side], oracle.priceFrom]
  if (String(actual) !== String(expected)) throw new Error(`feed ${actual}, must be ${expected}`)
  if (readers[side].events.size > 2 - side) throw new Error(`partner ${side} sees too much`)
}
