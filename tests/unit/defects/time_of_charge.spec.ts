import { measureSkew } from '#defects/facts/clock_skew'
import type { AttemptFacts, CaseFacts } from '#defects/facts/facts'
import { test } from '@japa/runner'
import {
  expiredConfirm,
  HOUR,
  judge,
  MINUTE,
  NOON,
  paid,
  SECOND,
  story,
  unpaid,
} from './stories.js'

const verdicts = (facts: CaseFacts) =>
  (judge(facts)?.findings ?? []).map(({ code, subclass, severity }) =>
    [code, subclass, severity].filter(Boolean).join(' ')
  )
const charged = (offsetMs: number, more: Partial<AttemptFacts> = {}) => ({
  paidAt: NOON + offsetMs,
  paidAtRaw: '2026-09-18T19:40:00.000+05:00',
  precision: 'subsecond' as const,
  ...more,
})

/** The same with the offset that was sent. */
const sentAs = (offset: string, offsetMs: number) =>
  charged(offsetMs, { paidAtRaw: `2026-09-18T19:40:00.000${offset}` })

test.group('Time of charge', () => {
  test('an order charged and confirmed in good order has no finding', ({ assert }) => {
    assert.isNull(judge(story([paid()])))
  })

  const EARLY: [what: string, attemptFacts: Partial<AttemptFacts>, expected: string][] = [
    ['the same second, cut down', charged(-900, { precision: 'second' }), 'RESOLUTION INFO'],
    ['the same minute, cut down', charged(-59_000, { precision: 'minute' }), 'RESOLUTION INFO'],
    ['a second that was over', charged(-2_500, { precision: 'second' }), 'HARD MEDIUM'],
    ['within two seconds', charged(-1_900), 'SKEW INFO'],
    ['four minutes', charged(-4 * MINUTE), 'HARD MEDIUM'],
    ['ten minutes', charged(-10 * MINUTE), 'HARD HIGH'],
    ['one hour: a stale +06:00', sentAs('+06:00', -HOUR - 30 * SECOND), 'TZ_OFFSET MEDIUM'],
    ['two hours: Moscow', charged(-2 * HOUR), 'TZ_OFFSET MEDIUM'],
    ['five hours: UTC called +05:00', charged(-5 * HOUR + MINUTE), 'TZ_OFFSET MEDIUM'],
    ['six hours: UTC called +06:00', sentAs('+0600', -6 * HOUR), 'TZ_OFFSET MEDIUM'],
    ['five hours, sent as UTC', sentAs('Z', -5 * HOUR), 'HARD HIGH'],
    ['one hour, sent with +05:00', charged(-HOUR), 'HARD HIGH'],
    ['three hours', charged(-3 * HOUR), 'HARD HIGH'],
    ['two days', charged(-48 * HOUR), 'STALE HIGH'],
  ]
  test('charged too early: {0}')
    .with(EARLY)
    .run(({ assert }, [, attemptFacts, expected]) => {
      const facts = story([paid({}, attemptFacts)])
      assert.include(verdicts(facts), `PAID_BEFORE_CREATED ${expected}`)
      const found = judge(facts)!.findings.find(({ code }) => code === 'PAID_BEFORE_CREATED')!
      assert.isTrue(found.isStrictBreach)
      assert.equal(found.deviationMs, NOON - attemptFacts.paidAt!)
      assert.equal(found.exposureTenge, 0n)
    })

  test('a slow clock known from the partner’s requests excuses its own error and no more', ({
    assert,
  }) => {
    const skewMs = measureSkew(
      Array.from({ length: 200 }, (_, index) => 40_000 + (index % 50) * 10)
    )
    assert.approximately(skewMs, 40_000, 50)
    const at = (early: number) => verdicts(story([paid({}, charged(-early))], { skewMs }))
    assert.include(at(41_000), 'PAID_BEFORE_CREATED SKEW INFO')
    assert.include(at(60_000), 'PAID_BEFORE_CREATED HARD MEDIUM')
    const far = verdicts(story([paid({}, charged(-310 * SECOND))], { skewMs: 900_000 }))
    assert.include(far, 'PAID_BEFORE_CREATED HARD HIGH')
  })

  test('each time zone mistake has its correction', ({ assert }) => {
    const hintOf = (hours: number, offset: string) =>
      judge(story([paid({}, sentAs(offset, -hours * HOUR))]))!.findings[0].hint
    assert.deepEqual(
      [
        hintOf(1, '+06:00'),
        hintOf(2, '+05:00'),
        hintOf(5, '+05:00'),
        hintOf(6, '+06:00'),
        // What was sent cannot come from that mistake: a partner would be given wrong advice.
        hintOf(5, 'Z'),
        hintOf(2, '+03:00'),
      ],
      ['STALE_PLUS_6', 'MOSCOW_AS_PLUS_5', 'UTC_AS_PLUS_5', 'UTC_AS_PLUS_6', null, null]
    )
  })

  test('noon that was sent as 12:00Z is called local time marked as UTC, and as 12:00+05:00 nothing', ({
    assert,
  }) => {
    const noon = Date.parse('2026-09-18T12:00:00+05:00')
    const found = (offset: string) => {
      const paidAtRaw = `2026-09-18T12:00:00${offset}`
      const paidAt = Date.parse(paidAtRaw)
      const receivedAt = offset === '+05:00' ? noon - 5 * HOUR : noon
      const order = { createdAt: receivedAt - 10 * SECOND }
      const facts = story([paid(order, { paidAt, paidAtRaw, receivedAt })])
      return judge(facts)!.findings.map(({ code, severity, hint }) => [code, severity, hint])
    }
    assert.deepEqual(
      ['Z', '+00:00', '+05:00'].map(found),
      ['LOCAL_AS_UTC', 'LOCAL_AS_UTC', null].map((hint) => [['PAID_IN_FUTURE', 'MEDIUM', hint]])
    )
  })

  test('a charge later than its confirm is in the future; five hours later means local time marked as UTC', ({
    assert,
  }) => {
    assert.include(verdicts(story([paid({}, charged(13 * SECOND))])), 'PAID_IN_FUTURE MEDIUM')
    assert.include(
      verdicts(story([paid({}, sentAs('Z', 5 * HOUR + 5 * SECOND))])),
      'PAID_IN_FUTURE TZ_OFFSET MEDIUM'
    )
    // One moment, one finding: not also a charge after the window.
    assert.deepEqual(verdicts(story([paid({}, charged(5 * HOUR))])), ['PAID_IN_FUTURE MEDIUM'])
    assert.deepEqual(verdicts(story([paid({}, charged(11 * SECOND))])), [])
  })

  test('a partner’s clock that is ahead excuses a charge that seems too late, and one behind does not', ({
    assert,
  }) => {
    const judged = (skewMs: number) => verdicts(story([paid({}, charged(13 * SECOND))], { skewMs }))
    assert.deepEqual(judged(-5 * SECOND), [])
    assert.deepEqual(judged(5 * SECOND), ['PAID_IN_FUTURE MEDIUM'])
  })

  test('a charge after the payment window is found although its confirm came in time', ({
    assert,
  }) => {
    const codes = verdicts(story([paid({}, charged(303 * SECOND))]))
    assert.deepEqual(codes, ['PAID_AFTER_WINDOW MEDIUM'])
  })

  test('a confirm that was accepted at the very end of the window came too late', ({ assert }) => {
    const acceptedAt = (receivedAt: number) => verdicts(story([paid({}, { receivedAt })]))
    assert.include(acceptedAt(NOON + 300 * SECOND), 'PAID_AFTER_WINDOW_END BLOCKER')
    assert.notInclude(acceptedAt(NOON + 300 * SECOND - 0.001), 'PAID_AFTER_WINDOW_END BLOCKER')
  })

  test('an outdated offset of Kazakhstan is found, though the moment is right', ({ assert }) => {
    const attemptFacts = { paidAtRaw: '2026-09-18T20:40:05+06:00' }
    assert.deepEqual(verdicts(story([paid({}, attemptFacts)])), ['PAID_AT_OFFSET_SUSPECT LOW'])
    for (const paidAtRaw of ['2026-09-18T14:40:05Z', '2026-09-18T19:40:05+0500'])
      assert.deepEqual(verdicts(story([paid({}, { paidAtRaw })])), [])
  })

  test('a confirm is slow when it comes more than half a window after its charge', ({ assert }) => {
    const receivedAt = NOON + 156 * SECOND
    assert.deepEqual(verdicts(story([paid({}, { receivedAt })])), ['SLOW_CONFIRM LOW'])
  })

  test('the payment of a refused confirm is a reused payment, not a clock error', ({ assert }) => {
    const first = unpaid({ attempts: [expiredConfirm()] })
    const createdAt = NOON + 400 * SECOND
    const second = paid(
      { id: 'TIX-2026-000002', createdAt },
      {
        orderIdSent: 'TIX-2026-000002',
        receivedAt: createdAt + SECOND,
        paidAt: NOON + 200 * SECOND,
      }
    )
    const found = verdicts(story([first, second]))
    assert.include(found, 'PAID_BEFORE_CREATED PAYMENT_REUSED HIGH')
  })
})
