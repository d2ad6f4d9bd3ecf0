import { beganAt, type AttemptFacts, type CaseFacts, type OrderFacts } from '#defects/facts/facts'
import { cpuMsOf } from '#tests/support/cpu_time'
import { test } from '@japa/runner'
import {
  attempt,
  expiredConfirm,
  exposure,
  HOUR,
  judge,
  NOON,
  paid,
  registerDaysOf,
  returned,
  row,
  SECOND,
  story,
  unpaid,
  withRegister,
} from './stories.js'

const SECOND_ID = 'TIX-2026-000002'
const CARTS = { allowsCombinedPayments: true }
const LATER = NOON + 400 * SECOND

const codesOf = (facts: CaseFacts) => judge(facts)?.findings.map(({ code }) => code) ?? []
/** A second order, by default refused as expired with the payment of the first. */
const tooLate = (more: Partial<OrderFacts> = {}, attemptFacts: Partial<AttemptFacts> = {}) =>
  unpaid({
    id: SECOND_ID,
    attempts: [expiredConfirm({ orderIdSent: SECOND_ID, ...attemptFacts })],
    ...more,
  })
const paidLater = (totalTenge: bigint) =>
  paid(
    { id: SECOND_ID, createdAt: LATER, totalTenge },
    { orderIdSent: SECOND_ID, receivedAt: LATER + SECOND, amountTenge: totalTenge }
  )

test.group('Charges of buyers', () => {
  test('the amount beyond what a payment bought is still owed to the buyer', ({ assert }) => {
    const refused = unpaid({ attempts: [expiredConfirm()] })
    assert.deepEqual(exposure(story([refused, paidLater(9_000n)])), [15_000n, 'BUYER'])
    assert.deepEqual(exposure(story([refused, paidLater(24_000n)])), [0n, 'NONE'])
  })

  test('is at most the order’s total when its payment has bought something', ({ assert }) => {
    const inTiyn = expiredConfirm({ amountTenge: 2_400_000n })
    const facts = story([unpaid({ attempts: [inTiyn] }), paidLater(24_000n)])
    assert.deepEqual(exposure(facts), [0n, 'NONE'])
  })

  test('is what a confirm claims, up to twice the order’s total', ({ assert }) => {
    const claimed = (amountTenge: bigint) =>
      exposure(story([unpaid({ attempts: [expiredConfirm({ amountTenge })] })]))
    assert.deepEqual(claimed(48_000n), [48_000n, 'BUYER'])
    assert.deepEqual(claimed(48_001n), [24_000n, 'BUYER'])
  })

  test('a mistyped order number is no part of a cart, whatever it claims', ({ assert }) => {
    const mistyped = (amountTenge: bigint) => [
      expiredConfirm({ orderIdSent: 'TIX-2026-0000O1', amountTenge, code: 'ORDER_NOT_FOUND' }),
    ]
    for (const partner of [{}, CARTS]) {
      assert.deepEqual(exposure(story([paid()], partner, mistyped(24_000n))), [0n, 'NONE'])
      assert.deepEqual(exposure(story([paid()], partner, mistyped(500_000_000n))), [0n, 'NONE'])
    }
  })

  test('each order of a refused cart claims the whole cart: it was charged once', ({ assert }) => {
    const wholeCart = { amountTenge: 48_000n }
    const both = [unpaid({ attempts: [expiredConfirm(wholeCart)] }), tooLate({}, wholeCart)]
    assert.deepEqual(exposure(story(both, CARTS)), [48_000n, 'BUYER'])
  })

  test('a cart: a payment meant for a further order is not used up by the paid one', ({
    assert,
  }) => {
    assert.deepEqual(exposure(story([paid(), tooLate()], CARTS)), [24_000n, 'BUYER'])
    assert.deepEqual(exposure(story([paid(), tooLate()])), [0n, 'NONE'])
    const both = [unpaid({ attempts: [expiredConfirm()] }), tooLate()]
    assert.deepEqual(exposure(story(both, CARTS)), [48_000n, 'BUYER'])
    assert.deepEqual(exposure(story(both)), [24_000n, 'BUYER'])
  })

  test('a cart: an order placed after the refusal is the same money, whether paid or refused again', ({
    assert,
  }) => {
    const refused = unpaid({ attempts: [expiredConfirm()] })
    assert.deepEqual(exposure(story([refused, paidLater(24_000n)], CARTS)), [0n, 'NONE'])
    const again = tooLate({ createdAt: LATER }, { receivedAt: LATER + HOUR })
    assert.deepEqual(exposure(story([refused, again], CARTS)), [24_000n, 'BUYER'])
  })

  test('a charge without a payment id counts once, and not when another confirm has an id', ({
    assert,
  }) => {
    const bad = () => attempt({ httpStatus: 422, code: 'VALIDATION_ERROR', paymentId: null })
    assert.deepEqual(exposure(story([unpaid({ attempts: [bad(), bad()] })])), [24_000n, 'BUYER'])
    const named = unpaid({ attempts: [bad(), expiredConfirm()] })
    assert.deepEqual(exposure(story([named])), [24_000n, 'BUYER'])
    assert.deepEqual(codesOf(story([paid({ attempts: [bad(), attempt()] })])), [])
  })

  test('confirms with a wrong signature are one payment of at most the order’s total', ({
    assert,
  }) => {
    const unsigned = ['pay-1', 'pay-2'].map((paymentId) =>
      attempt({ httpStatus: 401, code: 'INVALID_SIGNATURE', paymentId, amountTenge: 30_000n })
    )
    const facts = story([unpaid({ unsigned })])
    assert.deepEqual(codesOf(facts), ['CONFIRM_THROTTLED'])
    assert.deepEqual(exposure(facts), [24_000n, 'BUYER'])
    assert.equal(judge(facts)!.fault, 'PARTNER')
    assert.deepEqual(codesOf(story([paid({ unsigned })])), [])
    const unsignedOnly = story([
      unpaid({ unsigned, attempts: [expiredConfirm({ paymentId: 'pay-3' })] }),
    ])
    assert.deepEqual(exposure(unsignedOnly), [24_000n, 'BUYER'])
  })

  test('a second payment that bought another order is owed to nobody', ({ assert }) => {
    const repeat = attempt({ paymentId: 'pay-2' })
    const order = paid()
    const other = paid({ id: SECOND_ID }, { orderIdSent: SECOND_ID, paymentId: 'pay-2' })
    const facts = story([{ ...order, attempts: [...order.attempts, repeat] }, other])
    assert.deepEqual(exposure(facts), [0n, 'NONE'])
    const { findings } = judge(facts)!
    assert.isEmpty(findings.filter(({ exposureTenge }) => exposureTenge > 0n))
  })

  test('a pending order may still be paid with any of its payments', ({ assert }) => {
    const wrong = ['pay-1', 'pay-2'].map((paymentId) => attempt({ httpStatus: 422, paymentId }))
    assert.isEmpty(codesOf(story([unpaid({ status: 'pending', attempts: wrong })])))
  })
})

test.group('One payment for two orders', () => {
  const twice = (more: Partial<OrderFacts> = {}) =>
    paid({ id: SECOND_ID, ...more }, { orderIdSent: SECOND_ID, receivedAt: NOON + 20 * SECOND })
  const voided = (priceTenge: bigint) => ({
    ticketId: 'tkt_1',
    priceTenge,
    cause: 'refund' as const,
    voidedAt: NOON + HOUR,
    usedAt: null,
    saleClosedAt: null,
  })

  test('the first order is paid by it, and refunds of either order reduce what is owed', ({
    assert,
  }) => {
    assert.deepEqual(exposure(story([paid(), twice()])), [24_000n, 'PLATFORM'])
    const half = twice({ voids: [voided(12_000n)] })
    assert.deepEqual(exposure(story([paid(), half])), [12_000n, 'PLATFORM'])
    const first = paid({ voids: [voided(24_000n)] })
    assert.deepEqual(exposure(story([first, twice()])), [0n, 'NONE'])
  })

  test('the second order’s absence from the register is the same money', ({ assert }) => {
    const facts = withRegister(story([paid(), twice()]), [row()], [SECOND_ID])
    assert.deepEqual(exposure(facts), [24_000n, 'PLATFORM'])
  })

  test('of terms that allow carts it explains nothing that a register lacks', ({ assert }) => {
    const facts = withRegister(story([paid(), twice()], CARTS), [row()], [SECOND_ID])
    assert.deepEqual(
      judge(facts)!.findings.map(({ code, exposureTenge }) => [code, exposureTenge]),
      [
        ['DUP_EXTERNAL_PAYMENT_ID', 0n],
        ['MISSING_AT_PARTNER', 24_000n],
      ]
    )
  })

  test('is another loss than a guest who was admitted with a void ticket', ({ assert }) => {
    const used = { ...voided(12_000n), usedAt: NOON + 2 * HOUR }
    const facts = story([paid({ voids: [used] }), twice()])
    assert.deepEqual(
      judge(facts)!.findings.map(({ code, exposureTenge }) => [code, exposureTenge]),
      [
        ['DUP_EXTERNAL_PAYMENT_ID', 12_000n],
        ['USED_AFTER_VOID', 12_000n],
      ]
    )
  })
})

test.group('Refused confirms', () => {
  test('a partner’s slow clock does not excuse a late confirm', ({ assert }) => {
    const sentAt = NOON + 260 * SECOND
    const faultAt = (skewMs: number) =>
      judge(story([unpaid({ attempts: [expiredConfirm({ sentAt })] })], { skewMs }))!.fault
    assert.deepEqual([faultAt(0), faultAt(60_000)], ['NETWORK', 'PARTNER'])
  })

  test('a confirm in time for a cancelled event and one after the window are one chain', ({
    assert,
  }) => {
    const inTime = attempt({ httpStatus: 409, code: 'EVENT_CANCELLED' })
    const order = { eventCancelledAt: NOON, attempts: [inTime, expiredConfirm()] }
    const { findings } = judge(story([unpaid(order)]))!
    assert.deepEqual(
      findings.map(({ code, deviationMs }) => [code, deviationMs]),
      [['CONFIRM_EVENT_CANCELLED', 10 * SECOND]]
    )
    const other = { ...order, attempts: [inTime, expiredConfirm({ paymentId: 'pay-2' })] }
    assert.include(codesOf(story([unpaid(other)])), 'CONFIRM_ORDER_EXPIRED')
  })

  test('a confirm of a cancelled order has no deviation from the window', ({ assert }) => {
    const refused = attempt({ httpStatus: 409, code: 'ORDER_CANCELLED' })
    const facts = story([unpaid({ status: 'cancelled', attempts: [refused] })])
    assert.isNull(judge(facts)!.findings[0].deviationMs)
  })
})

test.group('Evidence of registers', () => {
  const void1 = (cause: OrderFacts['voids'][number]['cause']) => ({
    ticketId: 'tkt_1',
    priceTenge: 24_000n,
    cause,
    voidedAt: NOON + HOUR,
    usedAt: null,
    saleClosedAt: null,
  })
  const late = (facts: CaseFacts) => ({ ...facts, asOf: NOON + 10 * 24 * HOUR })

  test('what went back counts for whichever payment of the case', ({ assert }) => {
    const first = story([unpaid({ attempts: [expiredConfirm()] })])
    const both = [row(), row({ paymentId: 'pay-2' })]
    assert.deepEqual(exposure(withRegister(first, both)), [48_000n, 'BUYER'])
    for (const paymentId of ['pay-1', 'pay-2', null]) {
      const facts = withRegister(first, [...both, returned({ paymentId })])
      assert.deepEqual(exposure(facts), [24_000n, 'BUYER'])
    }
  })

  test('a return that is dated after tomorrow has not gone back yet', ({ assert }) => {
    const refused = story([unpaid({ attempts: [expiredConfirm()] })])
    const returnedAt = (at: number) => withRegister(refused, [row(), returned({ at })])
    const tomorrow = refused.asOf + 24 * HOUR
    assert.deepEqual(exposure(returnedAt(tomorrow)), [0n, 'NONE'])
    assert.deepEqual(exposure(returnedAt(tomorrow + 1)), [24_000n, 'BUYER'])
  })

  test('what a register shows of a pending order counts where a refused confirm has its payment', ({
    assert,
  }) => {
    const orders = [
      unpaid({ attempts: [expiredConfirm()] }),
      tooLate({ status: 'pending', attempts: [] }),
    ]
    const shown = (paymentId: string) => {
      const ofPending = { orderIds: [SECOND_ID], paymentId }
      return withRegister(story(orders), [row(ofPending), returned(ofPending)])
    }
    assert.deepEqual(exposure(shown('pay-1')), [0n, 'NONE'])
    assert.deepEqual(exposure(shown('pay-2')), [24_000n, 'BUYER'])
  })

  test('a refund under another order of the case is the same refund of the same payment', ({
    assert,
  }) => {
    const orders = [unpaid({ attempts: [expiredConfirm()] }), tooLate()]
    const facts = late(withRegister(story(orders), [returned({ orderIds: [SECOND_ID] })]))
    assert.deepEqual(exposure(facts), [0n, 'NONE'])
    assert.notInclude(codesOf(facts), 'LATE_MONEY_NOT_RETURNED')
  })

  test('a refund without a payment id for one order leaves what others owe', ({ assert }) => {
    const orders = [unpaid({ attempts: [expiredConfirm()] }), tooLate({}, { paymentId: 'pay-2' })]
    const back = returned({ paymentId: null, orderIds: [SECOND_ID] })
    const facts = late(withRegister(story(orders), [back]))
    assert.deepEqual(exposure(facts), [24_000n, 'BUYER'])
    const due = judge(facts)!.findings.filter(({ code }) => code === 'LATE_MONEY_NOT_RETURNED')
    assert.deepEqual(
      due.map(({ orderId }) => orderId),
      ['TIX-2026-000001']
    )
  })

  test('two charges that no confirm shows are one defect with the money of both', ({ assert }) => {
    const rows = [row(), row({ paymentId: 'pay-8' }), row({ paymentId: 'pay-9' })]
    const facts = withRegister(story([paid()]), rows)
    const found = judge(facts)!.findings.map(({ code, exposureTenge }) => [code, exposureTenge])
    assert.deepEqual(found, [['MISSING_AT_PLATFORM', 48_000n]])
    assert.deepEqual(exposure(facts), [48_000n, 'BUYER'])
  })

  for (const [name, order, subclass] of [
    ['a paid order is a second charge', paid(), 'SECOND_CHARGE'],
    ['an order that was never paid is not', unpaid(), null],
  ] as const)
    test(`money in a register for ${name}`, ({ assert }) => {
      const facts = withRegister(story([order]), [row(), row({ paymentId: 'pay-9' })])
      assert.deepEqual(
        judge(facts)!.findings.map((found) => [found.code, found.subclass]),
        [['MISSING_AT_PLATFORM', subclass]]
      )
    })

  test('a confirm without a payment id is the same money', ({ assert }) => {
    const attempts = [attempt({ httpStatus: 422, code: 'VALIDATION_ERROR', paymentId: null })]
    for (const paymentId of [null, 'pay-9']) {
      const facts = withRegister(story([unpaid({ attempts })]), [row({ paymentId })])
      assert.deepEqual(exposure(facts), [24_000n, 'BUYER'])
    }
  })

  test('a charge of an unknown name that shares a paid order’s payment is called by what it is', ({
    assert,
  }) => {
    const rows = [
      row(),
      row({ orderIds: ['partner-7'] }),
      row({ orderIds: ['partner-7'], paymentId: 'pay-8' }),
    ]
    const facts = withRegister(
      story([paid({ totalTenge: 48_000n }, { amountTenge: 48_000n })]),
      rows
    )
    assert.deepEqual(
      judge(facts)!.findings.map(({ code, exposureTenge }) => [code, exposureTenge]),
      [['MISSING_AT_PLATFORM', 24_000n]]
    )
  })

  test('a void that we made is due after some days, whatever registers there are', ({ assert }) => {
    const facts = story([paid({ voids: [void1('platform')] })])
    assert.deepEqual(exposure(facts), [0n, 'NONE'])
    assert.deepEqual(exposure({ ...facts, asOf: NOON + 100 * HOUR }), [24_000n, 'BUYER'])
  })

  test('a void is due by a register that could show its refund', ({ assert }) => {
    const voids = [void1('refund')]
    const facts = withRegister(story([paid({ voids })]), [row({ source: 'cards' })])
    const exposureWith = (...registerDays: CaseFacts['registerDays']) =>
      exposure({ ...facts, registerDays })
    const [cards, wallets] = [registerDaysOf('cards'), registerDaysOf('wallets')]
    const before = { from: NOON - 48 * HOUR, to: NOON - 24 * HOUR }
    const due = [24_000n, 'BUYER']
    const notDue = [0n, 'NONE']
    assert.deepEqual(exposureWith(cards), due)
    assert.deepEqual(exposureWith({ ...cards, ...before }, wallets), notDue)
    const salesOnly = { ...cards, coversRefunds: false }
    assert.deepEqual(exposureWith(salesOnly, wallets), notDue)
    const refunds = registerDaysOf('refunds', { coversSales: false })
    assert.deepEqual(exposureWith(salesOnly, refunds), due)
    assert.deepEqual(exposure({ ...facts, registerRows: [], registerDays: [wallets] }), due)
    assert.deepEqual(exposure({ ...facts, registerRows: [], registerDays: [salesOnly] }), notDue)
  })

  test('a second charge in wallets shows no refund of the cards’ sale', ({ assert }) => {
    const rows = [
      row({ source: 'cards' }),
      row({ source: 'wallets', registerId: 2, paymentId: 'pay-2' }),
      returned({ source: 'wallets', registerId: 2, paymentId: 'pay-2' }),
    ]
    const [cards, wallets] = [registerDaysOf('cards'), registerDaysOf('wallets')]
    const before = { from: NOON - 48 * HOUR, to: NOON - 24 * HOUR }
    const facts: CaseFacts = {
      ...withRegister(story([paid({ voids: [void1('refund')] })]), rows),
      sourcesSharingIds: new Map([
        ['cards', 'all'],
        ['wallets', 'part'],
      ]),
    }
    const exposureWith = (registerDays: CaseFacts['registerDays']) =>
      exposure({ ...facts, registerDays })
    assert.deepEqual(exposureWith([{ ...cards, ...before }, wallets]), [0n, 'NONE'])
    assert.deepEqual(exposureWith([cards, wallets]), [24_000n, 'BUYER'])
  })

  test('a bank with numbers of its own has to show the refund, although a shop shows the sale by its payment', ({
    assert,
  }) => {
    const rows = [row(), row({ source: 'bank', registerId: 2, paymentId: 'R1' })]
    const facts: CaseFacts = {
      ...withRegister(story([paid({ voids: [void1('refund')] })]), rows),
      registerDays: [registerDaysOf('shop', { coversRefunds: false }), registerDaysOf('bank')],
      sourcesSharingIds: new Map([['shop', 'all']]),
    }
    assert.deepEqual(exposure(facts), [24_000n, 'BUYER'])
    assert.include(codesOf(facts), 'VOID_WITHOUT_REFUND')
  })

  test('a register that shows more than a payment was confirmed for differs, also where another payment was refused', ({
    assert,
  }) => {
    const refused = attempt({ paymentId: 'pay-2', httpStatus: 409, code: 'ORDER_ALREADY_PAID' })
    const order = paid()
    const facts = story([{ ...order, attempts: [...order.attempts, refused] }])
    assert.include(
      codesOf(withRegister(facts, [row({ tenge: 26_000n })])),
      'REGISTER_AMOUNT_DIFFERS'
    )
  })

  test('a register that shows an order with a refused payment alone lacks its sale', ({
    assert,
  }) => {
    const refused = attempt({ paymentId: 'pay-2', httpStatus: 422, code: 'VALIDATION_ERROR' })
    const order = paid()
    const facts = story([{ ...order, attempts: [refused, ...order.attempts] }])
    const rows = [row({ paymentId: 'pay-2' })]
    const lost = [24_000n, 'BUYER', 24_000n, 'PLATFORM']
    assert.deepEqual(exposure(withRegister(facts, rows)), lost)
    assert.include(codesOf(withRegister(facts, rows)), 'MISSING_AT_PARTNER')
    assert.deepEqual(exposure(withRegister(facts, [...rows, row()])), [24_000n, 'BUYER'])
    const dayAfter = registerDaysOf('shop', { from: NOON + HOUR, to: NOON + 24 * HOUR })
    const ofDayAfter = { ...withRegister(facts, rows), registerDays: [dayAfter] }
    assert.deepEqual(exposure(ofDayAfter), [24_000n, 'BUYER'])
  })

  test('a second charge in another register is called by its own payment', ({ assert }) => {
    const facts: CaseFacts = {
      ...withRegister(story([paid()]), [
        row({ source: 'cards' }),
        row({ source: 'wallets', registerId: 2, paymentId: 'pay-2' }),
      ]),
      sourcesSharingIds: new Map([
        ['cards', 'all'],
        ['wallets', 'part'],
      ]),
    }
    const found = judge(facts)!.findings.map(({ code, paymentId }) => [code, paymentId])
    assert.deepEqual(found, [['MISSING_AT_PLATFORM', 'pay-2']])
    assert.deepEqual(exposure(facts), [24_000n, 'BUYER'])
  })

  test('a third row that is of one of two orders is named by its lines, as one charge too many', ({
    assert,
  }) => {
    const other = paid({ id: SECOND_ID }, { orderIdSent: SECOND_ID, paymentId: 'pay-2' })
    const orders = [paid(), other]
    const either = [1, 2, 3].map((line) =>
      row({ line, paymentId: null, orderIds: orders.map(({ id }) => id) })
    )
    const { findings } = judge(withRegister(story(orders), either))!
    assert.deepEqual(
      findings.map(({ code, exposureTenge, evidence }) => [code, exposureTenge, evidence.length]),
      [['MISSING_AT_PLATFORM', 24_000n, 3]]
    )
  })

  test('an order missing from a register is owed no more once it is void', ({ assert }) => {
    const lacking = (voids: OrderFacts['voids']) =>
      withRegister(story([paid({ voids })]), [], ['TIX-2026-000001'])
    assert.deepEqual(exposure(lacking([])), [24_000n, 'PLATFORM'])
    assert.notInclude(codesOf(lacking([void1('refund')])), 'MISSING_AT_PARTNER')
  })

  test('one charge of two orders of a cancelled event is due once', ({ assert }) => {
    const voids = [void1('event_cancelled')]
    const accepted = { orderIdSent: SECOND_ID, receivedAt: NOON + 20 * SECOND }
    const facts = late(story([paid({ voids }), paid({ id: SECOND_ID, voids }, accepted)]))
    assert.deepEqual(exposure(facts), [24_000n, 'BUYER'])
  })

  test('a cycle of retries is judged, also for an unknown order', ({ assert }) => {
    const unknownOrder = {
      orderIdSent: 'TIX-2026-999999',
      code: 'ORDER_NOT_FOUND',
      httpStatus: 404,
    }
    const confirmsOfUnknownOrders = Array.from({ length: 200_000 }, () => attempt(unknownOrder))
    for (const partner of [{}, CARTS]) {
      const facts = story([], partner, confirmsOfUnknownOrders)
      assert.equal(beganAt(facts), confirmsOfUnknownOrders[0].receivedAt)
      assert.deepEqual(exposure(facts), [24_000n, 'BUYER'])
    }
  })

  test('ten thousand retries of one order are judged in an instant', ({ assert }) => {
    const attempts = Array.from({ length: 10_000 }, () => expiredConfirm())
    const judgeThem = () =>
      assert.deepEqual(exposure(story([unpaid({ attempts })])), [24_000n, 'BUYER'])
    assert.isBelow(cpuMsOf(judgeThem), 500)
  })
})
