import type { CaseFacts, VoidFacts } from '#defects/facts/facts'
import { test } from '@japa/runner'
import {
  attempt,
  expiredConfirm,
  exposure,
  HOUR,
  judge,
  NOON,
  paid,
  SECOND,
  story,
  unpaid,
} from './stories.js'

const DAY = 24 * HOUR
const codes = (facts: CaseFacts) =>
  (judge(facts)?.findings ?? []).map(({ code }) => code).toSorted()
const of = (facts: CaseFacts, code: string) =>
  judge(facts)?.findings.find((found) => found.code === code)
const after = (facts: CaseFacts, days: number) => ({ ...facts, asOf: NOON + days * DAY })

test.group('Overdue refunds', () => {
  test('a refund is overdue after the days of the terms, and is not counted again', ({
    assert,
  }) => {
    const facts = story([unpaid({ attempts: [expiredConfirm()] })])
    assert.isUndefined(of(after(facts, 3), 'LATE_MONEY_NOT_RETURNED'))
    const due = after(facts, 4)
    assert.equal(of(due, 'CONFIRM_ORDER_EXPIRED')!.exposureTenge, 24_000n)
    assert.equal(of(due, 'LATE_MONEY_NOT_RETURNED')!.exposureTenge, 0n)
    assert.deepEqual(exposure(due), [24_000n, 'BUYER'])
    assert.deepEqual(judge(due)!.chain, ['CONFIRM_ORDER_EXPIRED', 'LATE_MONEY_NOT_RETURNED'])
  })

  test('a refund is overdue a moment after the last day', ({ assert }) => {
    const confirm = expiredConfirm()
    const facts = story([unpaid({ attempts: [confirm] })])
    const lastMoment = confirm.receivedAt + 3 * DAY
    const codesAt = (asOf: number) => codes({ ...facts, asOf })
    assert.notInclude(codesAt(lastMoment), 'LATE_MONEY_NOT_RETURNED')
    assert.include(codesAt(lastMoment + 1), 'LATE_MONEY_NOT_RETURNED')
  })

  test('no refund is due while the order may be paid, nor when its money bought something', ({
    assert,
  }) => {
    const wrong = attempt({ httpStatus: 422, code: 'INVALID_PARAMETERS', amountTenge: 1n })
    assert.deepEqual(codes(after(story([unpaid({ status: 'pending', attempts: [wrong] })]), 9)), [])
    const createdAt = NOON + 400 * SECOND
    const later = paid({ id: 'TIX-2026-000002', createdAt }, { receivedAt: createdAt + SECOND })
    const recovered = after(story([unpaid({ attempts: [expiredConfirm()] }), later]), 9)
    assert.isUndefined(of(recovered, 'LATE_MONEY_NOT_RETURNED'))
    assert.equal(of(recovered, 'CONFIRM_ORDER_EXPIRED')!.subclass, 'LATE_CONFIRM')
    assert.isTrue(of(recovered, 'CONFIRM_ORDER_EXPIRED')!.isRecovered)
  })

  test('a payment of an unknown order is due as well', ({ assert }) => {
    const confirm = attempt({ orderIdSent: 'TIX-2026-9', httpStatus: 404, code: 'ORDER_NOT_FOUND' })
    const facts = after(story([], {}, [confirm]), 9)
    assert.deepEqual(codes(facts), ['CONFIRM_UNKNOWN_ORDER', 'LATE_MONEY_NOT_RETURNED'])
  })

  test('its seats count as sold when another buyer has them, not when its own buyer has', ({
    assert,
  }) => {
    const late = (resoldTo: string[]) => unpaid({ attempts: [expiredConfirm()], resoldTo })
    assert.exists(of(story([late([''])]), 'SEAT_RESOLD_AFTER_EXPIRY'))
    const other = of(story([late(['TIX-2026-000009'])]), 'SEAT_RESOLD_AFTER_EXPIRY')!
    assert.deepEqual(other.evidence, ['TIX-2026-000009'])
    const own = unpaid({
      id: 'TIX-2026-000002',
      attempts: [expiredConfirm({ paymentId: 'pay-2' })],
    })
    const both = story([late(['TIX-2026-000002']), own])
    assert.isUndefined(of(both, 'SEAT_RESOLD_AFTER_EXPIRY'))
  })
})

test.group('Refunds and faults of the platform', () => {
  const lost = (more: Partial<VoidFacts>): VoidFacts => ({
    ticketId: 'tkt_1',
    priceTenge: 12_000n,
    cause: 'refund',
    voidedAt: NOON + HOUR,
    usedAt: null,
    saleClosedAt: null,
    ...more,
  })

  test('a refund for a guest admitted before the void is the platform’s loss', ({ assert }) => {
    const facts = story([paid({ voids: [lost({ usedAt: NOON + 30 * SECOND })] })])
    assert.deepEqual(codes(facts), ['REFUND_OF_USED'])
    assert.deepEqual(exposure(facts), [12_000n, 'PLATFORM'])
    const asked = story([paid({ refusedRefunds: ['tkt_2'] })])
    assert.deepEqual(
      [of(asked, 'REFUND_OF_USED')!.subclass, ...exposure(asked)],
      ['REFUSED', 0n, 'NONE']
    )
  })

  test('a refund after the settlement is reported without money at risk', ({ assert }) => {
    const facts = story([paid({ voids: [lost({ saleClosedAt: NOON + SECOND })] })])
    assert.deepEqual(codes(facts), ['REFUND_AFTER_CLOSE'])
    assert.equal(of(facts, 'REFUND_AFTER_CLOSE')!.severity, 'INFO')
  })

  test('confirms accepted too late or refused wrongly block the closing', ({ assert }) => {
    const late = paid({}, { receivedAt: NOON + 301 * SECOND })
    assert.equal(of(story([late]), 'PAID_AFTER_WINDOW_END')!.severity, 'BLOCKER')
    const refused = attempt({ httpStatus: 403, code: 'ACCESS_DENIED' })
    const revoked = story([unpaid({ attempts: [refused] })])
    assert.deepEqual(codes(revoked), ['REVOKED_CONFIRM_REJECTED'])
    assert.equal(judge(revoked)!.fault, 'PLATFORM')
    const pending = unpaid({ status: 'pending', attempts: [refused] })
    assert.isNull(judge(story([pending])), 'a pending order may still be paid')
  })
})
