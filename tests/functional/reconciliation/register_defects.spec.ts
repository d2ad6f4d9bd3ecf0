import RefreshDefects from '#defects/cases/refresh_defects'
import DropRegister from '#reconciliation/actions/drop_register'
import { findDefectsOf } from '#defects/jobs/find_defects'
import { claimRun } from '#runs/perform_run/perform_run_sql'
import { checkWorkbook } from '#workbooks/check/check_workbook'
import { scopeSql } from '#workbooks/sheets/scope_sql'
import type { DataRow } from '#workbooks/sheets/sheet'
import { register } from '#workbooks/sheets/register'
import { WORDS } from '#workbooks/words/words'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { listSheets } from '#spreadsheets/read_table'
import { streamRows } from '#shared/stream_rows'
import { transaction } from '#shared/transaction'
import { cancelEvent, lapseOrder } from '#tests/support/circumstances'
import { latePayment, refreshDefects } from '#tests/support/cases'
import { dataOf } from '#tests/support/answers'
import { aSale, book, order, paymentOf, sell, type TestPartner } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import {
  ASKER,
  confirmedRegister,
  confirmRegister,
  decideMatches,
  fileOf,
  partnerFieldsOf,
  lineOf,
  matchedRegister,
  midnight,
  THESE_DAYS,
  ticketsOf,
  matchesOf,
  versionOf,
  soldOrderOf,
} from '#tests/support/registers'
import {
  caseExposureOf,
  daysAgo,
  defectsOf,
  refreshLastDays,
  noonOn,
} from '#tests/support/register_defects'
import { one, rows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'

/** Two orders of a cart, the first one first, and the payment that both were paid with. */
async function cartOf(sale: Awaited<ReturnType<typeof aSale>>) {
  await setTerms(sale.partner, { refundEvidenceDays: 0, allowsCombinedPayments: true })
  const payment = paymentOf(12_000)
  const orders: string[] = []
  for (const seat of ['seat-2-1', 'seat-2-2']) {
    const booking = dataOf(await book(sale.client, sale.event.id, [seat]))
    const { order_id: orderId } = dataOf(await order(sale.client, booking.booking_id))
    await confirm(sale.client, orderId, payment)
    orders.push(orderId)
  }
  const known = await partnerFieldsOf(orders[0])
  const row = (tenge: number, at = known.at) =>
    `;${payment.payment_info.external_payment_id};${at};${tenge};Оплата`
  return { orders: orders.toSorted(), row }
}

/** What a confirmation has had searched anew. */
async function checkedPeriodOf({ id }: TestPartner) {
  const { from, to } = await one(
    `SELECT params ->> 'from' AS "from", params ->> 'to' AS "to" FROM settlement_runs
      WHERE partner_id = ? AND kind = 'check_period'`,
    id
  )
  return { from: new Date(from as string), to: new Date(to as string) }
}

test.group('What confirmed registers say of orders', (group) => {
  const scratch = scratchDirectory(group)
  test('counts from the confirmation on, and no more when it is taken back', async ({ assert }) => {
    const { partner, client, event } = await aSale()
    const [here, lacking] = [
      await soldOrderOf({ client, event }, ['seat-2-1']),
      await soldOrderOf({ client, event }, ['seat-2-2']),
    ]
    const { at } = await partnerFieldsOf(here)
    const registerId = await matchedRegister(
      partner,
      fileOf(await lineOf(here), `o-stranger;pay-9;${at};7000;Оплата`)
    )
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [])
    await confirmRegister(registerId)
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [
      `MISSING_AT_PARTNER ${lacking} 12000 PLATFORM`,
      'MISSING_AT_PLATFORM o-stranger 7000 BUYER',
    ])
    assert.deepEqual(await caseExposureOf('o-stranger'), { tenge: 7000, party: 'BUYER' })
    const checks = async () => {
      const found = await rows(
        `SELECT id FROM settlement_runs WHERE partner_id = ? AND kind = 'check_period'`,
        partner.id
      )
      return found.map(({ id }) => id as number)
    }
    const [check, ...others] = await checks()
    assert.lengthOf(others, 0)
    // One that has begun already knows nothing of what happens now.
    await claimRun.first({ id: check, claim: randomUUID() })
    const version = await versionOf(registerId)
    await new DropRegister().handle({ registerId, version, reason: 'Не тот файл', ...ASKER })
    assert.lengthOf(await checks(), 2)
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [])
  })

  test('money of a refused confirm is counted once, and not at all when it went back', async ({
    assert,
  }) => {
    const { partner, orderId, payment } = await latePayment()
    const line = await lineOf(orderId, { payment: payment.payment_info.external_payment_id })
    await confirmedRegister(partner, fileOf(line))
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [`MISSING_AT_PLATFORM ${orderId} 12000 BUYER`])
    assert.deepEqual(await caseExposureOf(orderId), { tenge: 12_000, party: 'BUYER' })

    const other = await latePayment()
    const paid = other.payment.payment_info.external_payment_id
    const both = await lineOf(other.orderId, { payment: paid })
    const returned = await lineOf(other.orderId, { payment: paid, tenge: '-12000' })
    await confirmedRegister(other.partner, fileOf(both, returned))
    await refreshDefects(other.partner)
    assert.deepEqual(await caseExposureOf(other.orderId), { tenge: 0, party: 'NONE' })
  })

  test('refunds without a void, voids without a refund, and sums that differ', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale()
    const orders: string[] = []
    for (const seats of [['seat-2-1'], ['seat-2-2'], ['seat-2-3', 'seat-2-4']])
      orders.push(await soldOrderOf({ client, event }, seats))
    const ticketOf = async (orderId: string) => {
      const ticket = await one(
        'SELECT id FROM tickets WHERE order_id = ? ORDER BY position',
        orderId
      )
      return ticket.id as string
    }
    await refund(client, orders[1], [await ticketOf(orders[1])])
    await refund(client, orders[2], [await ticketOf(orders[2])])
    await confirmedRegister(
      partner,
      fileOf(
        await lineOf(orders[0]),
        await lineOf(orders[0], { tenge: '-12000' }),
        await lineOf(orders[1]),
        await lineOf(orders[2]),
        await lineOf(orders[2], { tenge: '-20000' })
      )
    )
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [
      `REFUND_SUM_MISMATCH ${orders[2]} 8000 PLATFORM`,
      `REFUND_WITHOUT_VOID ${orders[0]} 12000 PLATFORM`,
      `VOID_WITHOUT_REFUND ${orders[1]} 12000 BUYER`,
    ])
  })

  test('a second charge that the register shows to have gone back is nobody’s debt', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale()
    const { order_id: orderId } = await sell(client, event.id, ['seat-2-1'])
    const again = paymentOf(12_000)
    await confirm(client, orderId, again)
    const payment = again.payment_info.external_payment_id
    await refreshDefects(partner)
    assert.deepEqual(await caseExposureOf(orderId), { tenge: 12_000, party: 'BUYER' })
    const charged = await lineOf(orderId, { payment })
    const returned = await lineOf(orderId, { payment, tenge: '-12000' })
    const registerId = await matchedRegister(
      partner,
      fileOf(await lineOf(orderId), charged, returned)
    )
    assert.deepEqual(await matchesOf(registerId), [
      `MATCHED EXACT [2] ${orderId}`,
      'MISSING_AT_PLATFORM BY_ORDER [3,4]',
    ])
    await confirmRegister(registerId)
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [])
    assert.deepEqual(await caseExposureOf(orderId), { tenge: 0, party: 'NONE' })
  })

  test('a second charge that only the register knows, gone back, is no refund of a ticket', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const payment = 'pay-unheard'
    const charged = await lineOf(orderId, { payment })
    const returned = await lineOf(orderId, { payment, tenge: '-12000' })
    await confirmedRegister(sale.partner, fileOf(await lineOf(orderId), charged, returned))
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(orderId), { tenge: 12_000, party: 'BUYER' })

    const other = await soldOrderOf(sale, ['seat-2-2'])
    const part = await lineOf(other, { payment: 'pay-other', tenge: '-5000' })
    const second = await lineOf(other, { payment: 'pay-other' })
    await confirmedRegister(sale.partner, fileOf(await lineOf(other), second, part))
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(other), { tenge: 7_000, party: 'BUYER' })
  })

  test('a refund in a confirmed register proves that buyers of a cancelled event have their money', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale()
    const orders = [
      await soldOrderOf({ client, event }, ['seat-2-1']),
      await soldOrderOf({ client, event }, ['seat-2-2']),
    ]
    await cancelEvent(event)
    await moveInTime(partner, '-10 days')
    const range = { from: new Date(Date.now() - 11 * 86_400_000), to: new Date() }
    const judge = () => new RefreshDefects().handle({ partnerId: partner.id, ...range })
    await judge()
    assert.lengthOf(await defectsOf(partner), 2)
    await confirmedRegister(
      partner,
      fileOf(
        await lineOf(orders[0]),
        await lineOf(orders[0], { tenge: '-12000' }),
        await lineOf(orders[1])
      ),
      { ...THESE_DAYS, from: new Date(THESE_DAYS.from.getTime() - 15 * 86_400_000) }
    )
    await judge()
    assert.deepEqual(await defectsOf(partner), [
      `EVENT_CANCELLED_REFUND_DUE ${orders[1]} 12000 BUYER`,
    ])
  })

  test('a void without a refund is the buyer’s money until a later register shows it', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    await moveInTime(sale.partner, '-8 days')
    const sold = await lineOf(orderId)
    await confirmedRegister(sale.partner, fileOf(sold), daysAgo(10, 5))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), [`VOID_WITHOUT_REFUND ${orderId} 12000 BUYER`])
    assert.deepEqual(await caseExposureOf(orderId), { tenge: 12_000, party: 'BUYER' })
    const { at } = await partnerFieldsOf(orderId)
    const returned = await lineOf(orderId, { tenge: '-12000' })
    const back = returned.replace(at, noonOn(-2))
    await confirmedRegister(sale.partner, fileOf(back), daysAgo(5, 0))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), [])
  })

  test('a cancelled event: what went back of another ticket is no evidence for its own', async ({
    assert,
  }) => {
    const sale = await aSale()
    await setTerms(sale.partner, { refundEvidenceDays: 0 })
    const mixed = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    const half = await soldOrderOf(sale, ['seat-2-3', 'seat-2-4'])
    const [first] = await ticketsOf(mixed)
    await refund(sale.client, mixed, [first])
    await cancelEvent(sale.event)
    const payment = 'rrn-1'
    const lines: string[] = []
    for (const orderId of [mixed, half])
      lines.push(
        await lineOf(orderId, { payment }),
        await lineOf(orderId, { payment, tenge: '-12000' })
      )
    await confirmedRegister(sale.partner, fileOf(...lines))
    await refreshDefects(sale.partner)
    assert.deepEqual(
      await defectsOf(sale.partner),
      [mixed, half].map((orderId) => `EVENT_CANCELLED_REFUND_DUE ${orderId} 12000 BUYER`)
    )
    for (const orderId of [mixed, half])
      assert.deepEqual(await caseExposureOf(orderId), { tenge: 12_000, party: 'BUYER' })
  })

  test('two registers over the same days say the same thing once', async ({ assert }) => {
    const {
      partner,
      client,
      event,
      orderId: late,
      payment,
    } = await latePayment(['seat-2-1', 'seat-2-2'])
    const sold = await soldOrderOf({ client, event }, ['seat-2-3'])
    const lacking = await soldOrderOf({ client, event }, ['seat-2-4'])
    const { at } = await partnerFieldsOf(sold)
    const paid = payment.payment_info.external_payment_id
    const lines = [
      await lineOf(sold),
      `o-stranger;pay-9;${at};7000;Оплата`,
      await lineOf(late, { payment: paid }),
      await lineOf(late, { payment: paid, tenge: '-12000' }),
    ]
    const expected = [
      [late, { tenge: 12_000, party: 'BUYER' }],
      [lacking, { tenge: 12_000, party: 'PLATFORM' }],
      ['o-stranger', { tenge: 7_000, party: 'BUYER' }],
    ] as const
    for (const end of ['', '\r\n']) {
      await confirmedRegister(partner, fileOf(...lines) + end)
      await refreshDefects(partner)
      for (const [key, told] of expected) assert.deepEqual(await caseExposureOf(key), told, key)
    }
  })

  test('a later register shows what went back of money for an order that we never had', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const name = `o-${sale.partner.code}`
    const row = (when: string, tenge: number) => `${name};pay-9;${when};${tenge};Оплата`
    const [day, time] = [noonOn(-1).slice(0, 10), noonOn(-1)]
    const told = async (...lines: string[]) => {
      await confirmedRegister(sale.partner, fileOf(sold, ...lines))
      await refreshLastDays(sale.partner, 3)
    }
    await told(row(time, 7_000))
    await told(row(day, 7_000), row(time, -3_000))
    assert.deepEqual(await caseExposureOf(name), { tenge: 4_000, party: 'BUYER' })
    await told(row(noonOn(0), -4_000))
    assert.deepEqual(await defectsOf(sale.partner), [])
  })

  test('sales in one file and refunds in another, times in one and days in the other', async ({
    assert,
  }) => {
    const sale = await aSale()
    await setTerms(sale.partner, { refundEvidenceDays: 0 })
    const apart = await soldOrderOf(sale, ['seat-2-1'])
    await refund(sale.client, apart, await ticketsOf(apart))
    const told = async (...lines: string[]) => {
      await confirmedRegister(sale.partner, fileOf(...lines))
      await refreshDefects(sale.partner)
    }
    const both = await soldOrderOf(sale, ['seat-2-2', 'seat-2-3'])
    await cancelEvent(sale.event)
    const [sold, back] = [await lineOf(both), await lineOf(both, { tenge: '-12000' })]
    const { at } = await partnerFieldsOf(both)
    await told(await lineOf(apart), sold, back)
    await told(await lineOf(apart, { tenge: '-12000' }), sold, back.replace(at, at.slice(0, 10)))
    assert.deepEqual(await defectsOf(sale.partner), [
      `EVENT_CANCELLED_REFUND_DUE ${both} 12000 BUYER`,
    ])
  })

  test('a sale net of a refund in one register and the row of it in another: it went back once', async ({
    assert,
  }) => {
    const sale = await aSale()
    await setTerms(sale.partner, { refundEvidenceDays: 0 })
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    const [ticket] = await ticketsOf(orderId)
    await refund(sale.client, orderId, [ticket])
    const net = await lineOf(orderId, { tenge: '12000' })
    const registerId = await matchedRegister(sale.partner, fileOf(net))
    const { why } = await one(
      'SELECT why::text FROM partner_register_cases WHERE register_id = ?',
      registerId
    )
    assert.include(why, 'NET_OF_REFUND')
    await confirmRegister(registerId)
    await cancelEvent(sale.event)
    const rowsOfIt = [await lineOf(orderId), await lineOf(orderId, { tenge: '-12000' })]
    await confirmedRegister(sale.partner, fileOf(...rowsOfIt))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [
      `EVENT_CANCELLED_REFUND_DUE ${orderId} 12000 BUYER`,
    ])
  })

  test('two more charges that name no payment are two', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const { at } = await partnerFieldsOf(orderId)
    const nameless = await lineOf(orderId, { payment: '' })
    const again = [1, 2].map((minutes) =>
      nameless.replace(at, `${noonOn(0).slice(0, 11)}12:0${minutes}:00`)
    )
    const file = fileOf(await lineOf(orderId), ...again)
    for (const end of ['', '\r\n']) {
      await confirmedRegister(sale.partner, file + end)
      await refreshDefects(sale.partner)
      assert.deepEqual(await defectsOf(sale.partner), [
        `MISSING_AT_PLATFORM ${orderId} 24000 BUYER`,
      ])
      assert.deepEqual(await caseExposureOf(orderId), { tenge: 24_000, party: 'BUYER' })
    }
  })

  test('one row gives back a cart of several orders', async ({ assert }) => {
    const sale = await aSale()
    await setTerms(sale.partner, { refundEvidenceDays: 0, allowsCombinedPayments: true })
    const payment = paymentOf(12_000)
    const orders: string[] = []
    for (const seat of ['seat-2-1', 'seat-2-2']) {
      const booking = dataOf(await book(sale.client, sale.event.id, [seat]))
      const { order_id: orderId } = dataOf(await order(sale.client, booking.booking_id))
      await confirm(sale.client, orderId, payment)
      orders.push(orderId)
    }
    await cancelEvent(sale.event)
    await refreshDefects(sale.partner)
    assert.lengthOf(await defectsOf(sale.partner), 2)
    const { external_payment_id: id } = payment.payment_info
    const { at } = await partnerFieldsOf(orders[0])
    const file = fileOf(`;${id};${at};24000;Оплата`, `;${id};${at};-24000;Возврат`)
    await confirmedRegister(sale.partner, file)
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [])
  })

  test('money of the day before a register’s first is found with its confirmation', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const name = `o-${sale.partner.code}`
    const longAgo = `${name};pay-10;01.02.2001 12:00:00;5000;Оплата`
    const file = fileOf(sold, `${name};pay-9;${noonOn(-2)};7000;Оплата`, longAgo)
    await confirmedRegister(sale.partner, file)
    const period = await checkedPeriodOf(sale.partner)
    // Not of a quarter of a century, whatever a row says.
    assert.isAtLeast(period.from.getTime(), midnight(-3).getTime())
    await new RefreshDefects().handle({ partnerId: sale.partner.id, ...period })
    assert.deepEqual(await defectsOf(sale.partner), [`MISSING_AT_PLATFORM ${name} 12000 BUYER`])
  })

  test('money that somebody has said is not an order’s is found with the confirmation as well', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const { key } = await partnerFieldsOf(orderId)
    const alike = { key: key.toUpperCase(), payment: '', at: noonOn(-2) }
    const registerId = await matchedRegister(sale.partner, fileOf(await lineOf(orderId, alike)))
    await decideMatches(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    const period = await checkedPeriodOf(sale.partner)
    await new RefreshDefects().handle({ partnerId: sale.partner.id, ...period })
    assert.deepEqual(await defectsOf(sale.partner), [
      `MISSING_AT_PARTNER ${orderId} 12000 PLATFORM`,
      `MISSING_AT_PLATFORM ${key.toUpperCase()} 12000 BUYER`,
    ])
  })

  test('a cart: what went back belongs to the order whose tickets are void', async ({ assert }) => {
    const sale = await aSale()
    const { orders, row } = await cartOf(sale)
    await refund(sale.client, orders[1], await ticketsOf(orders[1]))
    await confirmedRegister(sale.partner, fileOf(row(24_000), row(-12_000)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [])
    await cancelEvent(sale.event)
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [
      `EVENT_CANCELLED_REFUND_DUE ${orders[0]} 12000 BUYER`,
    ])
  })

  test('a cart: a void without a refund is told of its order, until a later register shows it', async ({
    assert,
  }) => {
    const sale = await aSale()
    const { orders, row } = await cartOf(sale)
    await refund(sale.client, orders[1], await ticketsOf(orders[1]))
    await confirmedRegister(sale.partner, fileOf(row(24_000)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [
      `VOID_WITHOUT_REFUND ${orders[1]} 12000 BUYER`,
    ])
    await confirmedRegister(sale.partner, fileOf(row(-12_000)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [])
  })

  test('a cart: what was void in a register’s days is told of its order', async ({ assert }) => {
    const sale = await aSale()
    const { orders, row } = await cartOf(sale)
    await refund(sale.client, orders[0], await ticketsOf(orders[0]))
    await moveInTime(sale.partner, '-2 days')
    const earlier = fileOf(row(24_000, noonOn(-2)), row(-12_000, noonOn(-2)))
    await confirmedRegister(sale.partner, earlier, daysAgo(3, 1))
    await refund(sale.client, orders[1], await ticketsOf(orders[1]))
    await confirmedRegister(sale.partner, fileOf(row(24_000, noonOn(-2))))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), [
      `VOID_WITHOUT_REFUND ${orders[1]} 12000 BUYER`,
    ])
  })

  test('a cart: refunds without a void are told of each order', async ({ assert }) => {
    const sale = await aSale()
    const { orders, row } = await cartOf(sale)
    await confirmedRegister(sale.partner, fileOf(row(24_000), row(-24_000)))
    await refreshDefects(sale.partner)
    assert.deepEqual(
      await defectsOf(sale.partner),
      orders.map((orderId) => `REFUND_WITHOUT_VOID ${orderId} 12000 PLATFORM`)
    )
  })

  test('a refund with its payment in one register and without in another went back once', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    for (const more of [{}, { payment: '' }]) {
      const back = await lineOf(orderId, { ...more, tenge: '-12000' })
      await confirmedRegister(sale.partner, fileOf(await lineOf(orderId, more), back))
    }
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(orderId), { tenge: 12_000, party: 'BUYER' })
  })

  test('refunds by order in one register and by ticket in another went back once', async ({
    assert,
  }) => {
    const sale = await aSale()
    await setTerms(sale.partner, { refundEvidenceDays: 0 })
    const seats = ['seat-2-1', 'seat-2-2', 'seat-2-3', 'seat-2-4']
    const orderId = await soldOrderOf(sale, seats)
    const tickets = await ticketsOf(orderId)
    await refund(sale.client, orderId, tickets.slice(0, 2))
    const sold = await lineOf(orderId)
    const ofTicket = await lineOf(orderId, { tenge: '-12000' })
    const ofOrder = await lineOf(orderId, { tenge: '-24000' })
    await confirmedRegister(sale.partner, fileOf(sold, ofOrder))
    await confirmedRegister(sale.partner, fileOf(sold, ofTicket, ofTicket))
    await cancelEvent(sale.event)
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(orderId), { tenge: 24_000, party: 'BUYER' })
  })

  test('money for an order that we never had counts payment by payment', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const named = (name: string, payment: string) => `${name};${payment};${noonOn(0)};7000;Оплата`
    const [once, twice, told] = ['o', 'p', 'TIX'].map((name) => `${name}-${sale.partner.code}`)
    const payment = paymentOf(7_000)
    await confirm(sale.client, told, payment)
    const heard = named(told, payment.payment_info.external_payment_id)
    for (const rowsOfIt of [
      [named(once, 'pay-9'), named(twice, 'pay-8')],
      [named(once, ''), named(twice, 'pay-8'), named(twice, 'pay-7'), heard, named(told, 'pay-6')],
    ])
      await confirmedRegister(sale.partner, fileOf(sold, ...rowsOfIt))
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(once), { tenge: 7_000, party: 'BUYER' })
    assert.deepEqual(await caseExposureOf(twice), { tenge: 14_000, party: 'BUYER' })
    assert.deepEqual(await caseExposureOf(told), { tenge: 14_000, party: 'BUYER' })
  })

  test('an order that one register lacks and of which another has the refund alone is missing once', async ({
    assert,
  }) => {
    const sale = await aSale()
    const here = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const lacking = await soldOrderOf(sale, ['seat-2-2'])
    const back = await lineOf(lacking, { tenge: '-12000' })
    await confirmedRegister(sale.partner, fileOf(here))
    await confirmedRegister(sale.partner, fileOf(here, back))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [
      `MISSING_AT_PARTNER ${lacking} 12000 PLATFORM`,
    ])
  })

  test('money of an unpaid order goes back by an id of the refund’s own', async ({ assert }) => {
    for (const isApart of [false, true]) {
      const { partner, orderId, payment } = await latePayment()
      const sold = await lineOf(orderId, { payment: payment.payment_info.external_payment_id })
      const back = await lineOf(orderId, { payment: 'rrn-77', tenge: '-12000' })
      if (isApart) await confirmedRegister(partner, fileOf(sold))
      await confirmedRegister(partner, isApart ? fileOf(back) : fileOf(sold, back))
      await refreshDefects(partner)
      assert.deepEqual(await defectsOf(partner), [])
      assert.deepEqual(await caseExposureOf(orderId), { tenge: 0, party: 'NONE' })
    }
  })

  test('money of an unpaid order that no confirm told of goes back in a later register', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-2']))
    const booking = dataOf(await book(sale.client, sale.event.id, ['seat-2-1']))
    const { order_id: orderId } = dataOf(await order(sale.client, booking.booking_id))
    await lapseOrder(orderId)
    const charged = await lineOf(orderId, { payment: 'rrn-1' })
    await confirmedRegister(sale.partner, fileOf(sold, charged))
    const parts = [
      await lineOf(orderId, { payment: '', tenge: '-4000' }),
      await lineOf(orderId, { payment: 'rrn-2', tenge: '-3000' }),
    ]
    await confirmedRegister(sale.partner, fileOf(sold, ...parts))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [`MISSING_AT_PLATFORM ${orderId} 5000 BUYER`])
    assert.deepEqual(await caseExposureOf(orderId), { tenge: 5_000, party: 'BUYER' })
  })

  test('a match that was rejected in one register and is exact in another is missing in none', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const { key } = await partnerFieldsOf(orderId)
    const alike = await lineOf(orderId, { key: key.toUpperCase(), payment: '' })
    const registerId = await matchedRegister(sale.partner, fileOf(alike))
    await decideMatches(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    await confirmedRegister(sale.partner, fileOf(await lineOf(orderId)))
    await refreshDefects(sale.partner)
    const found = await defectsOf(sale.partner)
    assert.isEmpty(found.filter((told) => told.startsWith('MISSING_AT_PARTNER')))
  })

  test('money for an order that we never had stays found when only the last days are searched', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await soldOrderOf(sale, ['seat-2-1'])
    const file = fileOf(await lineOf(sold), `o-long-ago;pay-9;${noonOn(-10)};7000;Оплата`)
    await confirmedRegister(sale.partner, file, daysAgo(15, -1))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), ['MISSING_AT_PLATFORM o-long-ago 7000 BUYER'])
    await findDefectsOf(sale.partner.id)
    assert.deepEqual(await caseExposureOf('o-long-ago'), { tenge: 7_000, party: 'BUYER' })
  })

  test('what somebody has said does not belong together is missing on both sides', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale()
    const orderId = await soldOrderOf({ client, event }, ['seat-2-1'])
    const { key } = await partnerFieldsOf(orderId)
    const line = await lineOf(orderId, { key: key.toUpperCase(), payment: '' })
    const registerId = await matchedRegister(partner, fileOf(line))
    await decideMatches(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [
      `MISSING_AT_PARTNER ${orderId} 12000 PLATFORM`,
      `MISSING_AT_PLATFORM ${key.toUpperCase()} 12000 BUYER`,
    ])
  })

  test('an order that another confirmed register has is missing in none', async ({ assert }) => {
    const { partner, client, event } = await aSale()
    const orders = [
      await soldOrderOf({ client, event }, ['seat-2-1']),
      await soldOrderOf({ client, event }, ['seat-2-2']),
    ]
    for (const orderId of orders) await confirmedRegister(partner, fileOf(await lineOf(orderId)))
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [])
  })

  test('the workbook has a row for each line, and for each order that is lacking', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale()
    const [here, lacking] = [
      await soldOrderOf({ client, event }, ['seat-2-1']),
      await soldOrderOf({ client, event }, ['seat-2-2']),
    ]
    const registerId = await matchedRegister(
      partner,
      fileOf(await lineOf(here, { tenge: '12500' }))
    )
    const sheet = () => {
      const sql = `${scopeSql(false)} SELECT * FROM (${register.sql}) r ORDER BY ${register.order}`
      const { from, to } = THESE_DAYS
      return transaction((trx) =>
        Array.fromAsync(
          streamRows<DataRow>(
            sql,
            {
              partnerId: partner.id,
              from,
              to,
              statementId: null,
              language: 'ru',
              takesLate: false,
            },
            trx
          )
        )
      )
    }
    assert.lengthOf(await sheet(), 0)
    await confirmRegister(registerId)
    const found = await sheet()
    assert.deepEqual(
      found.map(({ fileLine, ourOrder, registerAmount, difference, category }) => [
        fileLine,
        ourOrder,
        registerAmount,
        difference,
        category,
      ]),
      [
        [2, here, 12_500n, 500n, 'AMOUNT_DIFF'],
        [null, lacking, null, -12_000n, 'MISSING_AT_PARTNER'],
      ]
    )
    assert.sameMembers(
      Object.keys(found[0]),
      register.columns.map(({ key }) => key)
    )
  })

  test('a workbook has the sheet once a register is confirmed, and proves itself with it as before', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale()
    const orderId = await soldOrderOf({ client, event }, ['seat-2-1'])
    const write = (name: string) =>
      writeSettlementWorkbook({
        partnerCode: partner.code,
        scope: THESE_DAYS,
        language: 'ru',
        path: scratch.at(name),
      })
    const before = await write('before.xlsx')
    const registerId = await confirmedRegister(partner, fileOf(await lineOf(orderId)))
    const after = await write('after.xlsx')
    const sheet = WORDS.ru.sheets.register
    assert.notInclude(await listSheets(before.path), sheet)
    assert.include(await listSheets(after.path), sheet)
    assert.equal(after.rows.register, 1)
    assert.equal(after.dataSha256, before.dataSha256)
    assert.notEqual(after.defectsSha256, before.defectsSha256)

    assert.include(await checkWorkbook(after.path), { verdict: 'identical' })
    assert.include(await checkWorkbook(before.path), { verdict: 'superseded' })
    await new DropRegister().handle({
      registerId,
      version: await versionOf(registerId),
      reason: 'Проверка',
      ...ASKER,
    })
    assert.include(await checkWorkbook(after.path), { verdict: 'superseded' })
    assert.include(await checkWorkbook(before.path), { verdict: 'identical' })
  }).timeout(60_000)
})
