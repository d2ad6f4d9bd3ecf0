import type { CaseFacts, OrderFacts, VoidFacts } from '#defects/facts/facts'
import type { RegisterRow } from '#defects/facts/register_facts'
import { sum } from '#shared/tenge'
import { test } from '@japa/runner'
import {
  expiredConfirm,
  HOUR,
  judge,
  NOON,
  paid,
  returned,
  row,
  SECOND,
  story,
  unpaid,
  withRegister,
} from './stories.js'

const STORIES = 10_000
const FIRST_SEED = 1

/** What really happened: every charge and every return, and the tickets that are valid in the end. */
interface Truth {
  facts: CaseFacts
  charged: bigint
  returned: bigint
  valid: bigint
}

/**
 * Stories whose truth is known, as a partner's complete and honest register shows them: sales, late payments, payments sent for
 * several orders, second charges, voids, and returns of all, of a part, of the right payment or of another one.
 */
function aTruth(seed: number): Truth {
  const next = dice(seed)
  const [orders, rows]: [OrderFacts[], RegisterRow[]] = [[], []]
  const taken = { charged: 0n, returned: 0n, valid: 0n }
  const count = 1 + next(3)
  const payments: { id: string; tenge: bigint; left: bigint; orderId: string }[] = []
  const charge = (id: string, orderId: string, tenge: bigint) => {
    rows.push(row({ paymentId: id, orderIds: [orderId], tenge }))
    payments.push({ id, tenge, left: tenge, orderId })
    taken.charged += tenge
  }
  for (let index = 1; index <= count; index++) {
    const id = `TIX-2026-00000${index}`
    const totalTenge = BigInt(1 + next(4)) * 12_000n
    const own = `pay-${seed}-${index}`
    // The payment of the order before may have been sent again for this one.
    const before = payments.at(-1)
    const createdAt = NOON + (index - 1) * 400 * SECOND
    const isRetry = before !== undefined && before.tenge === totalTenge && next(2) === 0
    const paymentId = isRetry ? before.id : own
    const isLate = next(3) === 0
    const receivedAt = createdAt + (isLate ? 320 : 10) * SECOND
    const sent = { orderIdSent: id, paymentId, amountTenge: totalTenge, receivedAt }
    const times = { createdAt, windowEndsAt: createdAt + 300 * SECOND, totalTenge }
    if (isLate) orders.push(unpaid({ ...times, id, attempts: [expiredConfirm(sent)] }))
    else {
      const voids = next(3) === 0 ? [voided(id, totalTenge, next(2) === 0)] : []
      orders.push(paid({ ...times, id, voids }, { ...sent, paidAt: createdAt + 5 * SECOND }))
      taken.valid += totalTenge - sum(voids.map(({ priceTenge }) => priceTenge))
    }
    if (!isRetry) charge(own, id, totalTenge)
    if (next(4) === 0) charge(`${own}-again`, id, totalTenge)
  }
  for (const payment of payments) {
    if (next(3) > 0) continue
    const tenge = next(2) === 0 ? payment.left : payment.left / 2n
    const paymentId = next(3) === 0 ? `refund-${payment.id}` : payment.id
    rows.push(returned({ paymentId, orderIds: [payment.orderId], tenge, at: NOON + 2 * HOUR }))
    taken.returned += tenge
  }
  const together = { ...story(orders), sharedPlaceholders: new Set<string>() }
  return { facts: withRegister(together, rows), ...taken }
}

const voided = (orderId: string, totalTenge: bigint, isWhole: boolean): VoidFacts => ({
  ticketId: `tkt-${orderId}`,
  priceTenge: isWhole ? totalTenge : 12_000n,
  cause: 'refund',
  voidedAt: NOON + HOUR,
  usedAt: null,
  saleClosedAt: null,
})

/** Always the same numbers for a seed. */
function dice(seed: number) {
  let state = (seed * 2_654_435_761) % 2_147_483_647 || 1
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

test.group('Stories whose truth is known', () => {
  test(`${STORIES} of them are judged without one wrong tenge`, ({ assert }) => {
    const seen = { buyer: 0, platform: 0, nobody: 0 }
    for (let seed = FIRST_SEED; seed < FIRST_SEED + STORIES; seed++) {
      const { facts, charged, returned: back, valid } = aTruth(seed)
      const judged = judge(facts)
      const open = charged - back - valid
      const expected = { buyer: open > 0n ? open : 0n, platform: open < 0n ? -open : 0n }
      const { buyer, platform } = judged?.exposure ?? { buyer: 0n, platform: 0n }
      assert.deepEqual({ buyer, platform }, expected, `seed ${seed}`)
      seen[open > 0n ? 'buyer' : open < 0n ? 'platform' : 'nobody']++
      const shares = (party: string) =>
        sum(
          (judged?.findings ?? [])
            .filter(({ exposureParty }) => exposureParty === party)
            .map(({ exposureTenge }) => exposureTenge)
        )
      const shared = { buyer: shares('BUYER'), platform: shares('PLATFORM') }
      assert.deepEqual(shared, expected, `shares of seed ${seed}`)
    }
    // Enough of each kind to mean something.
    for (const [kind, times] of Object.entries(seen)) assert.isAbove(times, STORIES / 20, kind)
  }).timeout(60_000)
})
