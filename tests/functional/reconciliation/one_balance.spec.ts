import { readCase } from '#finance/cases/read_case'
import { refreshDefects } from '#tests/support/cases'
import { lapseOrder } from '#tests/support/circumstances'
import { aSale, anEvent, grant, paymentOf, PRICES, uniqueKey } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import {
  caseExposureOf,
  daysAgo,
  exposuresOf,
  expiredOrderOf,
  minutesAfter,
  noonOn,
  pendingOrderOf,
  refreshLastDays,
} from '#tests/support/register_defects'
import {
  COVERS_ALL,
  categoriesOf,
  confirmedRegister,
  confirmRegister,
  decideMatches,
  fileOf,
  lineOf,
  matchedRegister,
  midnight,
  partnerFieldsOf,
  refusalOf,
  soldOrderOf,
  ticketsOf,
} from '#tests/support/registers'
import { rows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { setTerms } from '#tests/support/settlement'
import { dataIn } from '#tests/support/settlement_workbook'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { test } from '@japa/runner'

const TEN = Array.from({ length: 10 }, (_, index) => index + 1)

type Sale = Awaited<ReturnType<typeof aSale>>

const codesOf = async ({ partner }: Sale) => {
  const found = await rows(
    `SELECT DISTINCT d.code FROM settlement_defects d JOIN settlement_cases c ON c.id = d.case_id
      WHERE c.partner_id = ? AND d.gone_at IS NULL AND c.gone_at IS NULL ORDER BY 1`,
    partner.id
  )
  return found.map(({ code }) => code as string)
}

const casesOf = ({ partner }: Sale) =>
  rows(
    'SELECT severity, cardinality(order_ids) AS orders FROM settlement_cases WHERE partner_id = ? AND gone_at IS NULL',
    partner.id
  )

/** Orders of 12,000 that were all confirmed with one payment, of these events by turns. */
async function onePaymentFor(sale: Sale, seats: string[], events = [sale.event]) {
  const payment = paymentOf(12_000, { external_payment_id: uniqueKey('pay') })
  const orders: string[] = []
  for (const [index, seat] of seats.entries()) {
    const event = events[index % events.length]
    const orderId = await pendingOrderOf({ ...sale, event }, [seat])
    await confirm(sale.client, orderId, payment)
    orders.push(orderId)
  }
  return orders
}

test.group('One payment for several orders', () => {
  const SEATS = ['seat-2-1', 'seat-2-2', 'seat-2-3']

  test('all beyond one charge is ours, whichever seat is confirmed first', async ({ assert }) => {
    for (const seats of [SEATS, SEATS.toReversed()]) {
      const sale = await aSale()
      await onePaymentFor(sale, seats)
      await refreshDefects(sale.partner)
      assert.deepEqual(await exposuresOf(sale.partner), ['24000 PLATFORM'])
    }
  })

  for (const confirmed of [
    [45_000, 12_000, 9_000],
    [45_000, 9_000, 12_000],
    [12_000, 45_000, 9_000],
    [12_000, 9_000, 45_000],
    [9_000, 45_000, 12_000],
    [9_000, 12_000, 45_000],
  ])
    test(`three orders that are confirmed as ${confirmed.join(', ')} are one case of 21,000`, async ({
      assert,
    }) => {
      const sale = await aSale()
      const orders = new Map<number, string>()
      for (const [total, seat] of [
        [45_000, 'seat-1-1'],
        [12_000, 'seat-2-1'],
        [9_000, 'seat-4-1'],
      ] as const)
        orders.set(total, await pendingOrderOf(sale, [seat]))
      const payment = { external_payment_id: uniqueKey('pay') }
      for (const total of confirmed) {
        const answer = await confirm(sale.client, orders.get(total)!, paymentOf(total, payment))
        assert.equal(answer.status, 200)
      }
      await refreshDefects(sale.partner)
      assert.deepEqual(await casesOf(sale), [{ severity: 'HIGH', orders: 3 }])
      assert.deepEqual(await exposuresOf(sale.partner), ['21000 PLATFORM'])
    })

  for (const events of ['one event', 'two events'])
    test(`four orders of ${events} are one case of high severity`, async ({ assert }) => {
      const sale = await aSale()
      const other = await anEvent()
      await grant(sale.partner, other)
      const sold = events === 'one event' ? [sale.event] : [sale.event, other]
      await onePaymentFor(sale, [...SEATS, 'seat-2-4'], sold)
      await refreshDefects(sale.partner)
      assert.deepEqual(await exposuresOf(sale.partner), ['36000 PLATFORM'])
      assert.deepEqual(await casesOf(sale), [{ severity: 'HIGH', orders: 4 }])
    })

  test('the row of a cart may name the first of its orders alone', async ({ assert }) => {
    const sale = await aSale()
    await setTerms(sale.partner, { allowsCombinedPayments: true })
    const [first] = await onePaymentFor(sale, SEATS)
    await confirmedRegister(sale.partner, fileOf(await lineOf(first, { tenge: '36000' })))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  for (const names of [1, 3])
    test(`nothing is owed when the register shows the whole charge and names ${names} of them; the finding stays`, async ({
      assert,
    }) => {
      const sale = await aSale()
      const orders = await onePaymentFor(sale, SEATS)
      const lines =
        names === 1
          ? [await lineOf(orders[0], { tenge: '36000' })]
          : await Promise.all(orders.map((orderId) => lineOf(orderId)))
      await confirmedRegister(sale.partner, fileOf(...lines))
      await refreshDefects(sale.partner)
      assert.deepEqual(await exposuresOf(sale.partner), [])
      assert.include(await codesOf(sale), 'DUP_EXTERNAL_PAYMENT_ID')
    })
})

test.group('Rows that name no order', () => {
  for (const [count, expected] of [
    [1, '12000 PLATFORM'],
    [2, undefined],
    [3, '12000 BUYER'],
  ] as const)
    test(`${count} of them for two like orders: ${expected ?? 'nothing is owed'}`, async ({
      assert,
    }) => {
      const sale = await aSale()
      const orders = [await soldOrderOf(sale, ['seat-2-1']), await soldOrderOf(sale, ['seat-2-2'])]
      const { at } = await partnerFieldsOf(orders[0])
      const rest = Array.from({ length: count }, () => `;${at};12000;buyer@example.kz`)
      const file = ['ID платежа;Дата оплаты;Сумма;Email', ...rest].join('\r\n')
      const registerId = await matchedRegister(sale.partner, file)
      // As many rows as orders are a suggestion; otherwise nobody knows which of them has no counterpart.
      const category = count === 2 ? 'MATCHED' : 'AMBIGUOUS'
      assert.deepEqual(await categoriesOf(registerId), [category])
      if (count === 2) await decideMatches(registerId, { decision: 'accepted' })
      await confirmRegister(registerId)
      await refreshDefects(sale.partner)
      assert.deepEqual(await exposuresOf(sale.partner), expected ? [expected] : [])
    })
})

/** A line that names nothing, or a payment id that says nothing. */
const namelessLine = (orderId: string, tenge: number, payment = '') =>
  lineOf(orderId, { key: '', payment, tenge: String(tenge) })

/** Orders of 12,000, each with a void ticket. */
async function voidedOrders(sale: Sale, seats: string[]) {
  const orders = await Promise.all(seats.map((seat) => soldOrderOf(sale, [seat])))
  for (const orderId of orders) await refund(sale.client, orderId, await ticketsOf(orderId))
  return orders
}

/** An order of 12,000 that expired before its payment came. */
async function latePaymentOf(sale: Sale, seat: string) {
  const orderId = await expiredOrderOf(sale, seat)
  await confirm(sale.client, orderId, paymentOf(12_000))
  return orderId
}

async function exposuresWith(sale: Sale, lines: string[], decision: 'accepted' | 'rejected') {
  const registerId = await matchedRegister(sale.partner, fileOf(...lines), { setup: COVERS_ALL })
  await decideMatches(registerId, { decision })
  await confirmRegister(registerId)
  await refreshDefects(sale.partner)
  return exposuresOf(sale.partner)
}

test.group('Refunds that name no order', () => {
  for (const payment of ['', 'test'])
    test(`of a void order, next to its sale, with the payment id «${payment}»`, async ({
      assert,
    }) => {
      const sale = await aSale()
      const [orderId] = await voidedOrders(sale, ['seat-2-1'])
      const lines = [
        await namelessLine(orderId, 12_000, payment),
        await namelessLine(orderId, -12_000, payment),
      ]
      assert.deepEqual(await exposuresWith(sale, lines, 'accepted'), [])
    })

  test('with the sale’s number known', async ({ assert }) => {
    const sale = await aSale()
    const [orderId] = await voidedOrders(sale, ['seat-2-1'])
    const lines = [await lineOf(orderId), await namelessLine(orderId, -12_000)]
    assert.deepEqual(await exposuresWith(sale, lines, 'accepted'), [])
  })

  test('are of nothing known when a person rejects the match', async ({ assert }) => {
    const sale = await aSale()
    const [orderId] = await voidedOrders(sale, ['seat-2-1'])
    const lines = [await lineOf(orderId), await namelessLine(orderId, -12_000)]
    assert.deepEqual(await exposuresWith(sale, lines, 'rejected'), ['12000 BUYER'])
  })

  test('of one of two like orders leave one claim', async ({ assert }) => {
    const sale = await aSale()
    const orders = await voidedOrders(sale, ['seat-2-1', 'seat-2-2'])
    const lines = [
      ...(await Promise.all(orders.map((orderId) => namelessLine(orderId, 12_000)))),
      await namelessLine(orders[0], -12_000),
    ]
    assert.deepEqual(await exposuresWith(sale, lines, 'accepted'), ['12000 BUYER'])
  })

  test('of two like orders, whose sales have numbers, leave none', async ({ assert }) => {
    const sale = await aSale()
    const orders = await voidedOrders(sale, ['seat-2-1', 'seat-2-2'])
    const lines = [
      ...(await Promise.all(orders.map((orderId) => lineOf(orderId)))),
      ...(await Promise.all(orders.map((orderId) => namelessLine(orderId, -12_000)))),
    ]
    assert.deepEqual(await exposuresWith(sale, lines, 'accepted'), [])
  })

  test('of another sum leave the claim', async ({ assert }) => {
    const sale = await aSale()
    const [orderId] = await voidedOrders(sale, ['seat-2-1'])
    const lines = [await namelessLine(orderId, 12_000), await namelessLine(orderId, -9_000)]
    assert.deepEqual(await exposuresWith(sale, lines, 'accepted'), ['12000 BUYER'])
  })

  test('of tickets that were void one after another', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2', 'seat-2-3'])
    const [first, second, third] = await ticketsOf(orderId)
    await refund(sale.client, orderId, [first])
    await rows(
      "UPDATE tickets SET voided_at = voided_at - interval '2 seconds' WHERE id = ? RETURNING 1",
      first
    )
    await refund(sale.client, orderId, [second, third])
    const lines = [
      await lineOf(orderId),
      await namelessLine(orderId, -12_000),
      await namelessLine(orderId, -24_000),
    ]
    assert.deepEqual(await exposuresWith(sale, lines, 'accepted'), [])
  })

  test('where all orders have one payment id', async ({ assert }) => {
    const sale = await aSale({ event: { prices: { ...PRICES, vip: 12_000n } } })
    const constant = `SHOP-${sale.partner.code}`
    const payment = paymentOf(12_000, { external_payment_id: constant })
    const seats = [1, 2, 3].flatMap((row) => TEN.map((seat) => `seat-${row}-${seat}`)).slice(0, 22)
    const lines: string[] = []
    for (const seat of seats) {
      const orderId = await pendingOrderOf(sale, [seat])
      await confirm(sale.client, orderId, payment)
      lines.push(await namelessLine(orderId, 12_000, constant))
      if (seat !== seats[0]) continue
      await refund(sale.client, orderId, await ticketsOf(orderId))
      lines.push(await namelessLine(orderId, -12_000, constant))
    }
    assert.deepEqual(await exposuresWith(sale, lines, 'accepted'), [])
  })
})

test.group('Late payments that name no order', () => {
  test('are the buyer’s until they are returned', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await latePaymentOf(sale, 'seat-2-1')
    const charge = await namelessLine(orderId, 12_000)
    assert.deepEqual(await exposuresWith(sale, [charge], 'accepted'), ['12000 BUYER'])
  })

  test('are nobody’s claim once they were returned', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await latePaymentOf(sale, 'seat-2-1')
    const lines = [await namelessLine(orderId, 12_000), await namelessLine(orderId, -12_000)]
    assert.deepEqual(await exposuresWith(sale, lines, 'accepted'), [])
  })

  test('also next to the sale of a like order, and to a void one with its refund', async ({
    assert,
  }) => {
    const sale = await aSale()
    const late = await latePaymentOf(sale, 'seat-2-1')
    const paid = await soldOrderOf(sale, ['seat-2-2'])
    const [voided] = await voidedOrders(sale, ['seat-2-3'])
    const lines = [
      ...(await Promise.all([late, paid, voided].map((one) => namelessLine(one, 12_000)))),
      ...(await Promise.all([late, voided].map((one) => namelessLine(one, -12_000)))),
    ]
    assert.deepEqual(await exposuresWith(sale, lines, 'accepted'), [])
  })

  test('two alike and one return are one claim', async ({ assert }) => {
    const sale = await aSale()
    const orders = [await latePaymentOf(sale, 'seat-2-1'), await latePaymentOf(sale, 'seat-2-2')]
    const lines = [
      ...(await Promise.all(orders.map((orderId) => namelessLine(orderId, 12_000)))),
      await namelessLine(orders[0], -12_000),
    ]
    assert.deepEqual(await exposuresWith(sale, lines, 'accepted'), ['12000 BUYER'])
  })
})

/** Like orders of 12,000, all with one payment id. */
async function ordersOfOnePayment(count: number) {
  const sale = await aSale({ event: { prices: { ...PRICES, vip: 12_000n } } })
  const payment = paymentOf(12_000, { external_payment_id: `SHOP-${sale.partner.code}` })
  const seats = [1, 2, 3].flatMap((row) => TEN.map((seat) => `seat-${row}-${seat}`))
  const orders: string[] = []
  for (const seat of seats.slice(0, count)) {
    const orderId = await pendingOrderOf(sale, [seat])
    await confirm(sale.client, orderId, payment)
    orders.push(orderId)
  }
  return { sale, orders, paymentId: payment.payment_info.external_payment_id }
}

test.group('Rows that name orders by one payment id, which all orders have', () => {
  const ORDERS = 22
  for (const [count, expected] of [
    [ORDERS - 1, '12000 PLATFORM'],
    [ORDERS, undefined],
    [ORDERS + 1, '12000 BUYER'],
  ] as const)
    test(`${count} of them for ${ORDERS} like orders: ${expected ?? 'nothing is owed'}`, async ({
      assert,
    }) => {
      const { sale, orders } = await ordersOfOnePayment(ORDERS)
      const line = await lineOf(orders[0], { key: '' })
      const file = fileOf(...Array.from({ length: count }, () => line))
      const registerId = await matchedRegister(sale.partner, file, { setup: COVERS_ALL })
      assert.deepEqual(await categoriesOf(registerId), [count === ORDERS ? 'MATCHED' : 'AMBIGUOUS'])
      if (count === ORDERS) await decideMatches(registerId, { decision: 'accepted' })
      await confirmRegister(registerId)
      await refreshDefects(sale.partner)
      assert.deepEqual(await exposuresOf(sale.partner), expected ? [expected] : [])
    })

  test('equal rows of a sum that no order has are each a buyer’s', async ({ assert }) => {
    const { sale, orders, paymentId } = await ordersOfOnePayment(ORDERS)
    const named = await Promise.all(
      orders.map((orderId) => namelessLine(orderId, 12_000, paymentId))
    )
    const other = await namelessLine(orders[0], 7_000, paymentId)
    const exposures = await exposuresWith(sale, [...named, other, other, other], 'accepted')
    assert.deepEqual(exposures, ['21000 BUYER'])
  })
})

test.group('Sums that differ', (group) => {
  const scratch = scratchDirectory(group)

  test('a second payment of an order is owed to its buyer, from the file’s line to the workbook’s row', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const [first, second] = [await lineOf(orderId), await lineOf(orderId, { payment: 'second' })]
    const registerId = await confirmedRegister(sale.partner, fileOf(first, second))
    assert.deepEqual(await categoriesOf(registerId), ['AMOUNT_DIFF'])
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    const scope = { from: midnight(-1), to: midnight(1) }
    const path = scratch.at('second_payment.xlsx')
    await writeSettlementWorkbook({ partnerCode: sale.partner.code, scope, path, language: 'ru' })
    const [defect, ...others] = await dataIn(path, 'defects')
    assert.lengthOf(others, 0)
    const { code, paymentId, buyerExposure, caseCharged, caseReturned, caseBought } = defect
    assert.deepEqual([code, paymentId, buyerExposure], ['MISSING_AT_PLATFORM', 'second', 12_000])
    assert.deepEqual([caseCharged, caseReturned, caseBought], [24_000, 0, 12_000])

    const returned = await lineOf(orderId, { payment: 'second', tenge: '-12000' })
    await confirmRegister(await matchedRegister(sale.partner, fileOf(first, second, returned)), {
      replaces: [registerId],
    })
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  for (const [tenge, expected] of [
    ['13000', '1000 BUYER'],
    ['11000', '1000 PLATFORM'],
  ])
    test(`${tenge} for 12,000: ${expected}`, async ({ assert }) => {
      const sale = await aSale()
      const orderId = await soldOrderOf(sale, ['seat-2-1'])
      await confirmedRegister(sale.partner, fileOf(await lineOf(orderId, { tenge })))
      await refreshDefects(sale.partner)
      assert.deepEqual(await exposuresOf(sale.partner), [expected])
      assert.deepEqual(await codesOf(sale), ['REGISTER_AMOUNT_DIFFERS'])
    })

  test('a confirm may claim any sum: the order’s total is believed', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await expiredOrderOf(sale, 'seat-2-1')
    await confirm(sale.client, orderId, paymentOf(Number.MAX_SAFE_INTEGER))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    assert.deepEqual(await codesOf(sale), ['CONFIRM_ORDER_EXPIRED'])
    const scope = { from: midnight(-1), to: midnight(1) }
    const path = scratch.at('book.xlsx')
    await writeSettlementWorkbook({ partnerCode: sale.partner.code, scope, path, language: 'ru' })
    const [attempt] = await dataIn(path, 'attempts')
    assert.deepEqual([attempt.orderId, attempt.total], [orderId, 12_000])
    const [defect] = await dataIn(path, 'defects')
    assert.deepEqual([defect.buyerExposure, defect.hint], [12_000, 'SUM_NOT_CREDIBLE'])
  })

  test('of a confirm in another currency the order’s total is believed, and the currency named', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await pendingOrderOf(sale, ['seat-2-1'])
    await confirm(sale.client, orderId, paymentOf(15, { currency: 'USD' }))
    await lapseOrder(orderId)
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    const found = await rows(
      `SELECT d.code, d.hint FROM settlement_defects d JOIN settlement_cases c ON c.id = d.case_id
        WHERE c.partner_id = ? AND d.gone_at IS NULL`,
      sale.partner.id
    )
    assert.deepEqual(found, [{ code: 'CONFIRM_AMOUNT_MISMATCH', hint: 'OTHER_CURRENCY' }])
  })

  test('a confirm of an unknown order in another currency is no sum in tenge, and the currency is named', async ({
    assert,
  }) => {
    const sale = await aSale()
    await confirm(sale.client, `TIX-${sale.partner.code}`, paymentOf(15, { currency: 'USD' }))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
    const found = await rows(
      `SELECT d.code, d.hint, d.is_recovered, c.buyer_tenge::int AS buyer
         FROM settlement_defects d JOIN settlement_cases c ON c.id = d.case_id
        WHERE c.partner_id = ? AND d.gone_at IS NULL`,
      sale.partner.id
    )
    assert.deepEqual(found, [
      { code: 'CONFIRM_UNKNOWN_ORDER', hint: 'OTHER_CURRENCY', is_recovered: false, buyer: 0 },
    ])
  })

  test('a confirm of an unknown order that cannot be read is a case: with its sum, or without where that cannot be read either', async ({
    assert,
  }) => {
    const sale = await aSale()
    const name = `TIX-${sale.partner.code}`
    await confirm(sale.client, `${name}-1`, paymentOf(7_000, { currency: ' kzt' }))
    await confirm(sale.client, `${name}-2`, paymentOf(8_000, { paid_at: 'yesterday' }))
    await confirm(sale.client, `${name}-3`, paymentOf(0, { amount_tenge: 'много' }))
    // Of an order of ours it is a finding of the order.
    const orderId = await pendingOrderOf(sale, ['seat-2-1'])
    await confirm(sale.client, orderId, paymentOf(12_000, { paid_at: 'yesterday' }))
    await lapseOrder(orderId)
    await refreshDefects(sale.partner)
    const found = await rows(
      `SELECT d.code, d.order_id AS order, d.hint, d.is_recovered, c.buyer_tenge::int AS buyer
         FROM settlement_defects d JOIN settlement_cases c ON c.id = d.case_id
        WHERE c.partner_id = ? AND d.gone_at IS NULL ORDER BY c.occurred_at`,
      sale.partner.id
    )
    const unknown = (number: number, buyer: number) => ({
      code: 'CONFIRM_UNKNOWN_ORDER',
      order: `${name}-${number}`,
      hint: null,
      is_recovered: false,
      buyer,
    })
    assert.sameDeepMembers(found, [
      unknown(1, 7_000),
      unknown(2, 8_000),
      unknown(3, 0),
      { code: 'CONFIRM_BAD_BODY', order: orderId, hint: null, is_recovered: false, buyer: 12_000 },
    ])
  })

  test('a confirm in time that claims any sum is a finding with the order’s total', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await pendingOrderOf(sale, ['seat-2-1'])
    await confirm(sale.client, orderId, paymentOf(Number.MAX_SAFE_INTEGER))
    await lapseOrder(orderId)
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    assert.deepEqual(await codesOf(sale), ['CONFIRM_AMOUNT_MISMATCH'])
  })

  test('one sum in tiyn among others in tenge is named so with what it probably is, and counts as it stands', async ({
    assert,
  }) => {
    const sale = await aSale({ event: { prices: { ...PRICES, standard: 7_350n } } })
    const orders = [await soldOrderOf(sale, ['seat-2-1']), await soldOrderOf(sale, ['seat-2-2'])]
    const inTiyn = await lineOf(orders[0], { tenge: '735000' })
    await confirmedRegister(sale.partner, fileOf(inTiyn, await lineOf(orders[1])))
    await refreshDefects(sale.partner)
    const found = await rows(
      `SELECT d.code, d.hint, d.exposure_tenge::int AS tenge, d.exposure_party AS party
         FROM settlement_defects d JOIN settlement_cases c ON c.id = d.case_id
        WHERE c.partner_id = ? AND d.gone_at IS NULL`,
      sale.partner.id
    )
    assert.deepEqual(found, [
      { code: 'REGISTER_AMOUNT_DIFFERS', hint: 'SUM_IN_TIYN', tenge: 727_650, party: 'BUYER' },
    ])
    assert.deepEqual(await exposuresOf(sale.partner), ['727650 BUYER'])
    const [{ id }] = await rows(
      'SELECT id FROM settlement_cases WHERE partner_id = ?',
      sale.partner.id
    )
    const { defects: shown } = await readCase(id as number)
    assert.deepEqual(
      shown.map(({ probableTenge }) => probableTenge),
      [7_350]
    )
    const scope = { from: midnight(-1), to: midnight(1) }
    const path = scratch.at('tiyn.xlsx')
    await writeSettlementWorkbook({ partnerCode: sale.partner.code, scope, path, language: 'ru' })
    const [defect] = await dataIn(path, 'defects')
    assert.deepEqual([defect.hint, defect.probable], ['SUM_IN_TIYN', 7_350])
  })

  test('more back than was charged is found', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await expiredOrderOf(sale, 'seat-2-1')
    const payment = paymentOf(12_000)
    await confirm(sale.client, orderId, payment)
    const { external_payment_id: id } = payment.payment_info
    const [charge, back] = [
      await lineOf(orderId, { payment: id, at: noonOn(0) }),
      await lineOf(orderId, { payment: id, tenge: '-13650', at: minutesAfter(noonOn(0), 30) }),
    ]
    await confirmedRegister(sale.partner, fileOf(charge, back))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['1650 PLATFORM'])
    assert.include(await codesOf(sale), 'REFUND_SUM_MISMATCH')
  })
})

test.group('Several parties and orders of one case', () => {
  test('a buyer’s money does not hide ours', async ({ assert }) => {
    const sale = await aSale({ event: { prices: { ...PRICES, fan: 91_000n } } })
    const late = await expiredOrderOf(sale, 'seat-4-1')
    const [first, second] = [paymentOf(91_000), paymentOf(90_000)]
    await confirm(sale.client, late, first)
    const sold = await pendingOrderOf(sale, ['seat-1-1', 'seat-1-2'])
    await confirm(sale.client, sold, { payment_info: { ...first.payment_info, amount_tenge: 1 } })
    await confirm(sale.client, sold, second)
    const { external_payment_id: id } = first.payment_info
    await confirmedRegister(
      sale.partner,
      fileOf(await lineOf(late, { payment: id, at: noonOn(0) }))
    )
    await refreshDefects(sale.partner)
    assert.deepEqual(await casesOf(sale), [{ severity: 'HIGH', orders: 2 }])
    assert.deepEqual(await caseExposureOf(late), { buyer: 91_000, platform: 90_000 })
  })

  test('a return counts for the case, also where it names the order that expired', async ({
    assert,
  }) => {
    const sale = await aSale()
    const late = await expiredOrderOf(sale, 'seat-2-1')
    const [first, second] = [paymentOf(12_000), paymentOf(12_000)]
    await confirm(sale.client, late, first)
    const sold = await pendingOrderOf(sale, ['seat-2-2'])
    await confirm(sale.client, sold, { payment_info: { ...first.payment_info, amount_tenge: 1 } })
    await confirm(sale.client, sold, second)
    const line = (orderId: string, { payment_info: info }: typeof first, tenge = '12000') =>
      lineOf(orderId, { payment: info.external_payment_id, tenge, at: noonOn(0) })
    const lines = [
      await line(late, first),
      await line(sold, second),
      await line(late, second, '-12000'),
    ]
    await confirmedRegister(sale.partner, fileOf(...lines))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
    assert.notInclude(await codesOf(sale), 'REFUND_WITHOUT_VOID')
  })

  test('a return of thirty days ahead keeps its register from being confirmed, and is none yet', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await expiredOrderOf(sale, 'seat-2-1')
    const payment = paymentOf(12_000)
    await confirm(sale.client, orderId, payment)
    const { external_payment_id: id } = payment.payment_info
    const ahead = noonOn(30)
    const back = await lineOf(orderId, { payment: id, tenge: '-12000', at: ahead })
    const registerId = await matchedRegister(sale.partner, fileOf(back))
    assert.deepEqual(await refusalOf(confirmRegister(registerId)), {
      refusalCode: 'UNREAD_MONEY',
      count: 1,
      tenge: '-12000',
      rows: [{ line: 2, column: 'Дата оплаты', found: ahead, tenge: '-12000' }],
    })
    await confirmRegister(registerId, { waiver: { reason: 'Партнёр вернёт через месяц' } })
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('a return dated before its charge keeps its register from being confirmed, also of valid tickets', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const [charge, back] = [
      await lineOf(orderId),
      await lineOf(orderId, { tenge: '-12000', at: noonOn(-3) }),
    ]
    const registerId = await matchedRegister(sale.partner, fileOf(charge, back), daysAgo(5, -1))
    const day = (at: string) => at.slice(0, 10)
    assert.deepEqual(await refusalOf(confirmRegister(registerId)), {
      refusalCode: 'EARLY_REFUNDS',
      count: 1,
      tenge: '-12000',
      rows: [
        {
          line: 3,
          column: 'Дата оплаты',
          found: day(noonOn(-3)),
          tenge: '-12000',
          chargedOn: day(noonOn(0)),
        },
      ],
    })
    await confirmRegister(registerId, { waiver: { reason: 'Возврат другого заказа' } })
    await refreshLastDays(sale.partner, 6)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('a return dated a day before its charge, or whose charge has no date, keeps no register back', async ({
    assert,
  }) => {
    const sale = await aSale()
    const [first, second] = [
      await soldOrderOf(sale, ['seat-2-1']),
      await soldOrderOf(sale, ['seat-2-2']),
    ]
    const dayBefore = { tenge: '-12000', at: noonOn(-1).slice(0, 10) }
    const file = fileOf(
      await lineOf(first, { at: noonOn(0).slice(0, 10) }),
      await lineOf(first, dayBefore),
      await lineOf(second, { at: '' }),
      await lineOf(second, { tenge: '-12000', at: noonOn(-4) })
    )
    const registerId = await matchedRegister(sale.partner, file, daysAgo(5, -1))
    assert.isNull(await refusalOf(confirmRegister(registerId)))
  })

  test('a rejected row without a date does not hide that a return is dated before its charge', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const { key } = await partnerFieldsOf(orderId)
    const file = fileOf(
      await lineOf(orderId, { key: ` ${key.replace('o', 'о')}`, payment: '', at: '' }),
      await lineOf(orderId, { tenge: '-12000', at: noonOn(-3) })
    )
    const registerId = await matchedRegister(sale.partner, file, daysAgo(5, -1))
    await decideMatches(registerId, { decision: 'rejected' })
    const refused = await refusalOf(confirmRegister(registerId))
    assert.deepInclude(refused, { refusalCode: 'EARLY_REFUNDS', count: 1 })
  })

  test('a return dated before its charge is none, and the case shows it with the row', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await expiredOrderOf(sale, 'seat-2-1')
    const payment = paymentOf(12_000)
    await confirm(sale.client, orderId, payment)
    const { external_payment_id: id } = payment.payment_info
    const charge = await lineOf(orderId, { payment: id, at: noonOn(0) })
    const back = await lineOf(orderId, { payment: id, tenge: '-12000', at: noonOn(-3) })
    const registerId = await matchedRegister(sale.partner, fileOf(charge, back), daysAgo(5, -1))
    const refused = await refusalOf(confirmRegister(registerId))
    assert.deepInclude(refused, { refusalCode: 'EARLY_REFUNDS', count: 1, tenge: '-12000' })
    await confirmRegister(registerId, { waiver: { reason: 'Возврат другого заказа' } })
    await refreshLastDays(sale.partner, 6)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    const [{ id: caseId }] = await rows(
      'SELECT id FROM settlement_cases WHERE partner_id = ? AND gone_at IS NULL',
      sale.partner.id
    )
    const { balance } = await readCase(caseId as number)
    const shown = balance!.purchases[0].payments.flatMap((one) => one.shown)
    const register = shown.find(({ returnedTenge }) => returnedTenge > 0)!
    assert.deepInclude(register, { returnedTenge: 12_000, isReturnCounted: false })
    assert.deepEqual(
      register.lines.map(({ line }) => line),
      [2, 3]
    )
  })

  test('a row whose ids lead to two orders leaves neither without a case', async ({ assert }) => {
    const sale = await aSale()
    const [first, second] = [
      await soldOrderOf(sale, ['seat-2-1']),
      await soldOrderOf(sale, ['seat-2-2']),
    ]
    const { payment } = await partnerFieldsOf(second)
    const registerId = await confirmedRegister(
      sale.partner,
      fileOf(await lineOf(first, { payment }))
    )
    assert.deepEqual(await categoriesOf(registerId), ['KEY_CONFLICT'])
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 PLATFORM'])
  })

  test('a charge of an unknown order is a case, also where its year is mistyped', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const year = noonOn(0).slice(6, 10)
    const mistyped = noonOn(0).replace(year, String(Number(year) - 1))
    await confirmedRegister(
      sale.partner,
      fileOf(sold, `o-1;${uniqueKey('pay')};${mistyped};7000;Оплата`)
    )
    // Shown at the edge of its register's days.
    await refreshLastDays(sale.partner, 3)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })
})
