import type { CaseFacts } from '#defects/facts/facts'
import type { Thresholds } from '#defects/rules/thresholds'
import { test } from '@japa/runner'
import {
  attempt,
  constantId,
  expiredConfirm,
  exposure,
  HOUR,
  judge,
  NOON,
  paid,
  row,
  SECOND,
  story,
  unpaid,
  withRegister,
} from './stories.js'

const of = (facts: CaseFacts, code: string) =>
  judge(facts)!.findings.find((found) => found.code === code)!
const UNTOUCHED = { usedAt: null, saleClosedAt: null }
const findingOf = (facts: CaseFacts, code: string) => {
  const { subclass, severity, exposureTenge, exposureParty, fault } = of(facts, code)
  return [subclass, severity, exposureTenge, exposureParty, fault]
}

test.group('Confirms answered ORDER_EXPIRED', () => {
  test('five retries are one case and one charge', ({ assert }) => {
    const facts = story([unpaid({ attempts: Array.from({ length: 5 }, () => expiredConfirm()) })])
    const { findings } = judge(facts)!
    assert.lengthOf(findings, 1)
    assert.deepEqual(findingOf(facts, 'CONFIRM_ORDER_EXPIRED'), [
      'LATE_CONFIRM',
      'HIGH',
      24_000n,
      'BUYER',
      'PARTNER',
    ])
    assert.lengthOf(findings[0].evidence, 5)
    assert.equal(findings[0].deviationMs, 20 * SECOND)
  })

  test('two payments are one case and two charges', ({ assert }) => {
    const attempts = [expiredConfirm(), expiredConfirm({ paymentId: 'pay-2' })]
    const facts = story([unpaid({ attempts })])
    assert.deepEqual(exposure(facts), [48_000n, 'BUYER'])
    assert.lengthOf(
      judge(facts)!.findings.filter(({ code }) => code === 'CONFIRM_ORDER_EXPIRED'),
      1
    )
  })

  test('charged after the window is another fault than confirmed after it', ({ assert }) => {
    const late = expiredConfirm({ paidAt: NOON + 301 * SECOND })
    assert.equal(
      findingOf(story([unpaid({ attempts: [late] })]), 'CONFIRM_ORDER_EXPIRED')[0],
      'LATE_CHARGE'
    )
  })

  for (const httpStatus of [503, 429, null])
    test(`an earlier attempt answered ${httpStatus} makes it the platform’s fault`, ({
      assert,
    }) => {
      const earlier = attempt({ receivedAt: NOON + 100 * SECOND, httpStatus, code: null })
      const facts = story([unpaid({ attempts: [earlier, expiredConfirm()] })])
      const [subclass, , tenge, , fault] = findingOf(facts, 'CONFIRM_ORDER_EXPIRED')
      assert.deepEqual([subclass, tenge, fault], ['PLATFORM_FAULT', 24_000n, 'PLATFORM'])
      assert.equal(judge(facts)!.fault, 'PLATFORM')
    })

  test('a confirm in time that was refused is the platform’s fault', ({ assert }) => {
    const waited = expiredConfirm({ receivedAt: NOON + 299 * SECOND })
    const facts = story([unpaid({ attempts: [waited] })])
    const [subclass, , tenge, , fault] = findingOf(facts, 'CONFIRM_ORDER_EXPIRED')
    assert.deepEqual([subclass, tenge, fault], ['REFUSED_IN_TIME', 24_000n, 'PLATFORM'])
  })

  test('at the very end of the window a confirm is late: a failure there is not the platform’s fault', ({
    assert,
  }) => {
    const end = NOON + 300 * SECOND
    const failedAt = (receivedAt: number) => {
      const failed = attempt({ receivedAt, httpStatus: 503, code: 'SERVICE_BUSY' })
      return story([unpaid({ attempts: [failed, expiredConfirm()] })])
    }
    const subclassAt = (receivedAt: number) =>
      findingOf(failedAt(receivedAt), 'CONFIRM_ORDER_EXPIRED')[0]
    assert.deepEqual([subclassAt(end - 0.001), subclassAt(end)], ['PLATFORM_FAULT', 'LATE_CONFIRM'])
    const refused = story([unpaid({ attempts: [expiredConfirm({ receivedAt: end })] })])
    assert.equal(findingOf(refused, 'CONFIRM_ORDER_EXPIRED')[0], 'LATE_CONFIRM')
  })

  test('a confirm sent in time that arrived too late is the network’s delay', ({ assert }) => {
    const onTheWay = expiredConfirm({ sentAt: NOON + 250 * SECOND })
    const [, , , , fault] = findingOf(
      story([unpaid({ attempts: [onTheWay] })]),
      'CONFIRM_ORDER_EXPIRED'
    )
    assert.equal(fault, 'NETWORK')
  })

  test('the same payment accepted on a later order is one chain without money at risk', ({
    assert,
  }) => {
    const createdAt = NOON + 400 * SECOND
    const later = paid(
      { id: 'TIX-2026-000002', createdAt },
      {
        orderIdSent: 'TIX-2026-000002',
        receivedAt: createdAt + SECOND,
        paidAt: NOON + 200 * SECOND,
      }
    )
    const facts = story([unpaid({ attempts: [expiredConfirm()] }), later])
    const judged = judge(facts)!
    assert.deepEqual(exposure(facts), [0n, 'NONE'])
    assert.deepEqual(findingOf(facts, 'CONFIRM_ORDER_EXPIRED').slice(0, 3), [
      'LATE_CONFIRM',
      'HIGH',
      0n,
    ])
    assert.isTrue(of(facts, 'CONFIRM_ORDER_EXPIRED').isRecovered)
    assert.deepEqual(judged.chain, ['CONFIRM_ORDER_EXPIRED', 'PAID_BEFORE_CREATED'])
    assert.equal(of(facts, 'PAYMENT_REUSED').severity, 'INFO')
  })

  test('a paid order has no such defect', ({ assert }) => {
    const order = paid()
    order.attempts.push(expiredConfirm())
    assert.isNull(judge(story([order])))
  })
})

test.group('Other refused confirms', () => {
  test('a confirm of a cancelled order is the partner’s fault; of a cancelled event, only when it was cancelled long before', ({
    assert,
  }) => {
    const cancelled = attempt({ httpStatus: 409, code: 'ORDER_CANCELLED' })
    const facts = story([unpaid({ status: 'cancelled', attempts: [cancelled] })])
    assert.deepEqual(findingOf(facts, 'CONFIRM_ORDER_CANCELLED').slice(1), [
      'HIGH',
      24_000n,
      'BUYER',
      'PARTNER',
    ])
    const ofEvent = (agoMs: number) => {
      const refused = attempt({ httpStatus: 409, code: 'EVENT_CANCELLED' })
      const eventCancelledAt = refused.receivedAt - agoMs
      return findingOf(
        story([unpaid({ eventCancelledAt, attempts: [refused] })]),
        'CONFIRM_EVENT_CANCELLED'
      )
    }
    assert.deepEqual([ofEvent(60 * SECOND)[4], ofEvent(HOUR)[4]], ['UNKNOWN', 'PARTNER'])
  })

  test('another amount: corrected, charged again, or left as it was', ({ assert }) => {
    const wrong = () =>
      attempt({ httpStatus: 422, code: 'INVALID_PARAMETERS', amountTenge: 24_001n })
    const corrected = paid()
    corrected.attempts.unshift(wrong())
    assert.deepEqual(findingOf(story([corrected]), 'CONFIRM_AMOUNT_MISMATCH').slice(0, 3), [
      'CORRECTED',
      'LOW',
      0n,
    ])
    const again = paid({}, { paymentId: 'pay-2' })
    again.attempts.unshift(wrong())
    assert.deepEqual(findingOf(story([again]), 'CONFIRM_AMOUNT_MISMATCH').slice(0, 3), [
      'RECHARGED',
      'HIGH',
      24_001n,
    ])
    const left = story([unpaid({ attempts: [wrong()] })])
    assert.deepEqual(findingOf(left, 'CONFIRM_AMOUNT_MISMATCH').slice(0, 3), [
      'UNRESOLVED',
      'HIGH',
      24_001n,
    ])
    const still = story([unpaid({ status: 'pending', attempts: [wrong()] })])
    assert.isNull(judge(still))
    const twice = [wrong(), { ...wrong(), paymentId: 'pay-2' }]
    assert.isNull(judge(story([unpaid({ status: 'pending', attempts: twice })])))
  })

  test('a confirm of an unknown order is believed up to the dearest order that could have been sold', ({
    assert,
  }) => {
    const claims = (amountTenge: bigint) =>
      story([], { dearestOrderTenge: 400_000n }, [
        attempt({ httpStatus: 404, code: 'ORDER_NOT_FOUND', amountTenge }),
      ])
    assert.deepEqual(exposure(claims(399_000n)), [399_000n, 'BUYER'])
    assert.deepEqual(exposure(claims(9_007_199_254_740_991n)), [400_000n, 'BUYER'])
    const hintOf = (amountTenge: bigint) => judge(claims(amountTenge))!.findings[0].hint
    assert.deepEqual([hintOf(400_000n), hintOf(400_001n)], [null, 'SUM_BEYOND_ORDERS'])
  })

  test('of a confirm in another currency the order’s total is believed, whatever its amount', ({
    assert,
  }) => {
    for (const amountTenge of [15n, 2_400_000n, null]) {
      const refusal = { httpStatus: 422, code: 'INVALID_PARAMETERS', amountTenge }
      const sent = attempt({ ...refusal, isInOtherCurrency: true })
      const facts = story([unpaid({ attempts: [sent] })])
      assert.deepEqual(exposure(facts), [24_000n, 'BUYER'], String(amountTenge))
    }
    const facts = (isInOtherCurrency: boolean) =>
      story([unpaid({ attempts: [expiredConfirm({ isInOtherCurrency, amountTenge: 15n })] })])
    assert.equal(judge(facts(true))!.findings[0].hint, 'OTHER_CURRENCY')
    assert.isNull(judge(facts(false))!.findings[0].hint)
  })

  test('a confirm of an unknown order in another currency is named so, and its figure is no tenge', ({
    assert,
  }) => {
    const sent = (isInOtherCurrency: boolean, more: object = {}) =>
      attempt({ httpStatus: 422, code: 'INVALID_PARAMETERS', isInOtherCurrency, ...more })
    const inDollars = judge(story([], {}, [sent(true)]))!
    const [{ code, hint, isRecovered }] = inDollars.findings
    assert.deepEqual([code, hint, isRecovered], ['CONFIRM_UNKNOWN_ORDER', 'OTHER_CURRENCY', false])
    assert.equal(inDollars.exposure.buyer, 0n)
    // What other confirms of it claim in tenge counts.
    const both = story([], {}, [
      sent(true),
      sent(false, { paymentId: 'pay-2', amountTenge: 7_000n }),
    ])
    assert.deepEqual(exposure(both), [7_000n, 'BUYER'])
  })

  test('a sum that the order cannot have is named: a hundred times its total is probably tiyn', ({
    assert,
  }) => {
    const hintOf = (httpStatus: number, code: string, amountTenge: bigint) => {
      const facts = story([unpaid({ attempts: [attempt({ httpStatus, code, amountTenge })] })])
      const [{ code: found, hint, probableTenge }] = judge(facts)!.findings
      return [found, hint, probableTenge, exposure(facts)]
    }
    const whole = [24_000n, 'BUYER']
    for (const [amountTenge, hint, probable] of [
      [2_400_000n, 'SUM_IN_TIYN', 24_000n],
      [9_007_199_254_740_991n, 'SUM_NOT_CREDIBLE', null],
    ] as const) {
      assert.deepEqual(hintOf(422, 'INVALID_PARAMETERS', amountTenge), [
        'CONFIRM_AMOUNT_MISMATCH',
        hint,
        probable,
        whole,
      ])
      assert.deepEqual(hintOf(409, 'ORDER_EXPIRED', amountTenge), [
        'CONFIRM_ORDER_EXPIRED',
        hint,
        probable,
        whole,
      ])
    }
    assert.deepEqual(hintOf(422, 'INVALID_PARAMETERS', 25_000n), [
      'CONFIRM_AMOUNT_MISMATCH',
      null,
      null,
      [25_000n, 'BUYER'],
    ])
  })

  test('an unreadable confirm costs nothing, 429 and 503 are our fault, and an unknown order leaves the buyer’s money at risk', ({
    assert,
  }) => {
    const bad = attempt({ httpStatus: 422, code: 'INVALID_PARAMETERS', amountTenge: null })
    const unreadable = findingOf(story([unpaid({ attempts: [bad] })]), 'CONFIRM_BAD_BODY')
    assert.deepEqual(unreadable.slice(1, 4), ['MEDIUM', 0n, 'NONE'])
    const ofStatus = (httpStatus: number) =>
      findingOf(
        story([unpaid({ attempts: [attempt({ httpStatus, code: 'X' })] })]),
        'CONFIRM_THROTTLED'
      )
    assert.deepEqual(
      [429, 503, 401].map((status) => ofStatus(status)[4]),
      ['PLATFORM', 'PLATFORM', 'PARTNER']
    )
    const confirm = attempt({
      orderIdSent: 'TIX-2026-999999',
      httpStatus: 404,
      code: 'ORDER_NOT_FOUND',
    })
    const unknown = findingOf(
      story([], {}, [confirm, { ...confirm, requestId: 'again' }]),
      'CONFIRM_UNKNOWN_ORDER'
    )
    assert.deepEqual(unknown.slice(1, 4), ['HIGH', 24_000n, 'BUYER'])
  })
})

test.group('Confirms at the very end of the window', () => {
  const codesAt = (receivedAt: number, httpStatus: number, code: string) => {
    const facts = story([unpaid({ attempts: [attempt({ receivedAt, httpStatus, code })] })])
    return judge(facts)?.findings.map((found) => found.code) ?? []
  }

  for (const [httpStatus, code, defect] of [
    [503, 'SERVICE_BUSY', 'CONFIRM_THROTTLED'],
    [403, 'ACCESS_DENIED', 'REVOKED_CONFIRM_REJECTED'],
  ] as const)
    test(`${httpStatus} is ${defect} before it, and a late confirm at it`, ({ assert }) => {
      const end = NOON + 300 * SECOND
      assert.deepEqual(codesAt(end - 0.001, httpStatus, code), [defect])
      assert.deepEqual(codesAt(end, httpStatus, code), ['CONFIRM_ORDER_EXPIRED'])
    })
})

test.group('Duplicates and voids', () => {
  test('one payment on two paid orders is a duplicate, except where the terms allow it', ({
    assert,
  }) => {
    const later = paid({ id: 'TIX-2026-000002' }, { receivedAt: NOON + 20 * SECOND })
    const far = paid(
      { id: 'TIX-2026-000002', eventId: 'evt_2', createdAt: NOON + 2 * HOUR },
      { receivedAt: NOON + 2 * HOUR + SECOND, paidAt: NOON + 2 * HOUR + SECOND }
    )
    assert.equal(findingOf(story([paid(), later]), 'DUP_EXTERNAL_PAYMENT_ID')[1], 'MEDIUM')
    assert.equal(findingOf(story([paid(), far]), 'DUP_EXTERNAL_PAYMENT_ID')[1], 'HIGH')
    assert.deepEqual(exposure(story([paid(), later])), [24_000n, 'PLATFORM'])
    const allowed = story([paid(), later], { allowsCombinedPayments: true })
    assert.deepEqual(findingOf(allowed, 'DUP_EXTERNAL_PAYMENT_ID').slice(0, 3), [
      'COMBINED',
      'INFO',
      0n,
    ])
    assert.deepEqual(exposure(allowed), [0n, 'NONE'])
  })

  test('a repeat with another payment is a second charge that only the platform sees', ({
    assert,
  }) => {
    const order = paid()
    order.attempts.push(attempt({ paymentId: 'pay-2', receivedAt: NOON + 30 * SECOND }))
    const facts = story([order])
    assert.deepEqual(findingOf(facts, 'CONFIRM_REPLAY_DIVERGENT').slice(1, 4), [
      'HIGH',
      24_000n,
      'BUYER',
    ])
    // The same money, which counts once.
    assert.deepEqual(findingOf(facts, 'MULTI_CHARGE_ONE_ORDER').slice(1, 4), ['HIGH', 0n, 'NONE'])
    assert.deepEqual(exposure(facts), [24_000n, 'BUYER'])
  })

  test('a repeat with another payment time is a minor defect, an identical one is none', ({
    assert,
  }) => {
    const [same, other] = [paid(), paid()]
    same.attempts.push({ ...same.attempts[0], requestId: 'again' })
    other.attempts.push({ ...other.attempts[0], paidAt: NOON + 9 * SECOND })
    assert.isNull(judge(story([same])))
    assert.deepEqual(findingOf(story([other]), 'CONFIRM_REPLAY_DIVERGENT').slice(1, 3), ['LOW', 0n])
  })

  test('a placeholder payment id joins no orders', ({ assert }) => {
    for (const paymentId of ['test', '0', '000', 'null', '-']) {
      const facts = story([paid({}, { paymentId }), paid({ id: 'TIX-2026-000002' }, { paymentId })])
      assert.equal(of(facts, 'EXTERNAL_ID_PLACEHOLDER').severity, 'LOW')
      assert.isUndefined(of(facts, 'DUP_EXTERNAL_PAYMENT_ID'))
    }
  })

  test('an id of more orders than one payment can pay has an upper bound, which is no money at risk', ({
    assert,
  }) => {
    const constantIds = new Map([['pay-1', constantId()]])
    const meaninglessIds = new Set(['pay-1'])
    const orders = [paid(), paid({ id: 'TIX-2026-000002' })]
    const facts = { ...story(orders), meaninglessIds, constantIds }
    assert.deepEqual(findingOf(facts, 'EXTERNAL_ID_PLACEHOLDER'), [
      'NOT_UNIQUE',
      'MEDIUM',
      0n,
      'NONE',
      'PARTNER',
    ])
    assert.deepEqual(exposure(facts), [0n, 'NONE'])
    const boundOf = (given: CaseFacts) => judge(given)!.explained.constantIds![0].upToTenge
    assert.equal(boundOf(facts), 480_000n)
    const shown = [
      row({ paymentId: null, tenge: 24_000n }),
      row({ paymentId: null, tenge: 24_000n, orderIds: ['TIX-2026-000002'] }),
    ]
    assert.equal(boundOf(withRegister(facts, shown)), 456_000n)
    assert.isNull(judge({ ...facts, orders: [paid({ id: 'TIX-2026-000022' })] }))
  })

  test('refunds of a cancelled event fall due; a guest admitted after the void is the platform’s fault', ({
    assert,
  }) => {
    const lost = { ticketId: 'tkt_1', priceTenge: 12_000n, voidedAt: NOON + HOUR, ...UNTOUCHED }
    const now = story([paid({ voids: [{ ...lost, cause: 'event_cancelled' }] })])
    const due = { ...now, asOf: NOON + 30 * 24 * HOUR }
    assert.deepEqual(findingOf(due, 'EVENT_CANCELLED_REFUND_DUE').slice(1, 4), [
      'HIGH',
      12_000n,
      'BUYER',
    ])
    assert.isNull(judge(now))
    const used = story([paid({ voids: [{ ...lost, cause: 'refund', usedAt: NOON + 2 * HOUR }] })])
    assert.deepEqual(findingOf(used, 'USED_AFTER_VOID').slice(1), [
      'HIGH',
      12_000n,
      'PLATFORM',
      'PLATFORM',
    ])
  })
})

test.group('Thresholds of a version', () => {
  const subclassOf = (facts: CaseFacts, code: string, thresholds: Partial<Thresholds>) =>
    judge(facts, thresholds)?.findings.find((found) => found.code === code)?.subclass

  test('decide what a wrong time zone explains', ({ assert }) => {
    const early = story([paid({}, { paidAt: NOON - 2 * HOUR })])
    const late = story([paid({}, { paidAt: NOON + 5 * HOUR, paidAtRaw: '2026-09-19T00:40:00Z' })])
    assert.deepEqual(
      [
        subclassOf(early, 'PAID_BEFORE_CREATED', {}),
        subclassOf(early, 'PAID_BEFORE_CREATED', { earlyZoneMistakes: [] }),
        subclassOf(late, 'PAID_IN_FUTURE', {}),
        subclassOf(late, 'PAID_IN_FUTURE', { lateZoneMistakes: [] }),
      ],
      ['TZ_OFFSET', 'HARD', 'TZ_OFFSET', null]
    )
  })

  test('decide how long after an order its payment may be refused elsewhere', ({ assert }) => {
    const other = unpaid({
      id: 'TIX-2026-000002',
      attempts: [expiredConfirm({ receivedAt: NOON + 30 * SECOND })],
    })
    const facts = story([paid({}, { paidAt: NOON - 200 * SECOND }), other])
    assert.deepEqual(
      [{}, { reuseSlackMs: 20 * SECOND }].map((more) =>
        subclassOf(facts, 'PAID_BEFORE_CREATED', more)
      ),
      ['PAYMENT_REUSED', 'HARD']
    )
  })

  test('decide how far repeats differ and how exactly the time of sending is known', ({
    assert,
  }) => {
    const order = paid()
    const repeat = { ...order.attempts[0], paidAt: order.attempts[0].paidAt! + 9 * SECOND }
    const repeated = story([{ ...order, attempts: [...order.attempts, repeat] }])
    assert.isNotNull(judge(repeated))
    assert.isNull(judge(repeated, { repeatSlackMs: 9 * SECOND }))

    const sent = story([unpaid({ attempts: [expiredConfirm({ sentAt: NOON + 250 * SECOND })] })])
    assert.deepEqual(
      [{}, { timestampUnitMs: 51 * SECOND }].map((more) => judge(sent, more)!.fault),
      ['NETWORK', 'PARTNER']
    )
  })
})
