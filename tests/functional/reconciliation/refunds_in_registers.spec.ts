import CheckPeriod from '#defects/cases/check_period'
import { refreshDefects } from '#tests/support/cases'
import { cancelEvent } from '#tests/support/circumstances'
import { aSale } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import {
  caseExposureOf,
  daysAgo,
  defectsOf,
  exposuresOf,
  minutesAfter,
  noonOn,
  refreshLastDays,
} from '#tests/support/register_defects'
import {
  COVERS_ALL,
  confirmedRegister,
  confirmRegister,
  fileOf,
  HEADER,
  lineOf,
  matchedRegister,
  matchesOf,
  partnerFieldsOf,
  soldOrderOf,
  THESE_DAYS,
  ticketsOf,
} from '#tests/support/registers'
import { one } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

test.group('Refunds compared with voids', () => {
  test('a refund without a void, a void without a refund and a different sum are three defects', async ({
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

  test('a refund without a void is found when its sale is in another register', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await confirmedRegister(sale.partner, fileOf(await lineOf(orderId)))
    const back = fileOf(await lineOf(orderId, { tenge: '-12000' }))
    await confirmedRegister(sale.partner, back, { setup: COVERS_ALL })
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [
      `REFUND_WITHOUT_VOID ${orderId} 12000 PLATFORM`,
    ])
  })

  test('refunds without a void add up over registers of different days', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2', 'seat-2-3'])
    await moveInTime(sale.partner, '-10 days')
    await confirmedRegister(sale.partner, fileOf(await lineOf(orderId)), daysAgo(12, 8))
    for (const [day, from, to] of [
      [-5, 7, 3],
      [0, 2, -1],
    ]) {
      const back = await lineOf(orderId, { tenge: '-12000', at: noonOn(day) })
      await confirmedRegister(sale.partner, fileOf(back), daysAgo(from, to))
    }
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), [
      `REFUND_WITHOUT_VOID ${orderId} 24000 PLATFORM`,
    ])
  })

  test('a fee within the amounts hides no missing or unexpected refund', async ({ assert }) => {
    const sale = await aSale()
    const [lost, kept, partly] = [
      await soldOrderOf(sale, ['seat-2-1']),
      await soldOrderOf(sale, ['seat-2-2']),
      await soldOrderOf(sale, ['seat-2-3', 'seat-2-4']),
    ]
    const [ticket] = await ticketsOf(partly)
    await refund(sale.client, lost, await ticketsOf(lost))
    await refund(sale.client, partly, [ticket])
    await confirmedRegister(
      sale.partner,
      fileOf(
        await lineOf(lost, { tenge: '12500' }),
        await lineOf(kept, { tenge: '12500' }),
        await lineOf(kept, { tenge: '-12500' }),
        // The fee went back with the price.
        await lineOf(partly, { tenge: '25000' }),
        await lineOf(partly, { tenge: '-12500' })
      )
    )
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [
      `REFUND_WITHOUT_VOID ${kept} 12000 PLATFORM`,
      `VOID_WITHOUT_REFUND ${lost} 12000 BUYER`,
    ])
  })

  test('a declined refund does not count, even with a negative amount', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const back = await lineOf(orderId, { tenge: '-12000' })
    const declined = back.replace('Возврат', 'Возврат отклонён')
    const registerId = await matchedRegister(sale.partner, fileOf(await lineOf(orderId), declined))
    assert.deepEqual(await matchesOf(registerId), [
      `REFUND_DIFF EXACT [2] ${orderId}`,
      'OUT_OF_SCOPE NONE [3]',
    ])
    await confirmRegister(registerId)
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [`VOID_WITHOUT_REFUND ${orderId} 12000 BUYER`])
  })

  test('a refund in a confirmed register settles what is due for a cancelled event', async ({
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
    const judge = () => new CheckPeriod().handle({ partnerId: partner.id, ...range })
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

  test('the refund of one ticket settles nothing for the other tickets of a cancelled event', async ({
    assert,
  }) => {
    const sale = await aSale()
    await setTerms(sale.partner, { refundEvidenceDays: 0 })
    const mixed = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    const half = await soldOrderOf(sale, ['seat-2-3', 'seat-2-4'])
    const [first] = await ticketsOf(mixed)
    await refund(sale.client, mixed, [first])
    await cancelEvent(sale.event)
    const lines: string[] = []
    for (const orderId of [mixed, half]) {
      const payment = `rrn-${orderId}`
      lines.push(
        await lineOf(orderId, { payment }),
        await lineOf(orderId, { payment, tenge: '-12000' })
      )
    }
    await confirmedRegister(sale.partner, fileOf(...lines))
    await refreshDefects(sale.partner)
    assert.deepEqual(
      await defectsOf(sale.partner),
      [mixed, half].map((orderId) => `EVENT_CANCELLED_REFUND_DUE ${orderId} 12000 BUYER`)
    )
    for (const orderId of [mixed, half])
      assert.deepEqual(await caseExposureOf(orderId), { buyer: 12_000 })
  })
})

test.group('The same refund in several registers', () => {
  test('a refund counts once with a time in one register and only a date in another', async ({
    assert,
  }) => {
    const sale = await aSale()
    await setTerms(sale.partner, { refundEvidenceDays: 0 })
    const refunded = await soldOrderOf(sale, ['seat-2-1'])
    await refund(sale.client, refunded, await ticketsOf(refunded))
    const confirmFile = async (...lines: string[]) => {
      await confirmedRegister(sale.partner, fileOf(...lines))
      await refreshDefects(sale.partner)
    }
    const both = await soldOrderOf(sale, ['seat-2-2', 'seat-2-3'])
    await cancelEvent(sale.event)
    const [sold, back] = [await lineOf(both), await lineOf(both, { tenge: '-12000' })]
    const { at } = await partnerFieldsOf(both)
    await confirmFile(await lineOf(refunded), sold, back)
    await confirmFile(
      await lineOf(refunded, { tenge: '-12000' }),
      sold,
      back.replace(at, at.slice(0, 10))
    )
    assert.deepEqual(await defectsOf(sale.partner), [
      `EVENT_CANCELLED_REFUND_DUE ${both} 12000 BUYER`,
    ])
  })

  test('a refund counts once as a reduced sale in one register and as a row in another', async ({
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

  test('a refund counts once with and without its payment id', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    for (const more of [{}, { payment: '' }]) {
      const back = await lineOf(orderId, { ...more, tenge: '-12000' })
      await confirmedRegister(sale.partner, fileOf(await lineOf(orderId, more), back))
    }
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(orderId), { buyer: 12_000 })
  })

  test('a refund counts once with and without its date', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const dated = [await lineOf(orderId), await lineOf(orderId, { tenge: '-12000' })]
    const undated = [HEADER, ...dated].map((line) => line.split(';').toSpliced(2, 1).join(';'))
    await confirmedRegister(sale.partner, fileOf(...dated))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    await confirmedRegister(sale.partner, undated.join('\r\n'))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('a refund counts once when another register dates it a day later', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const sold = await lineOf(orderId)
    const back = (day: number) => lineOf(orderId, { tenge: '-12000', at: noonOn(day) })
    await confirmedRegister(sale.partner, fileOf(sold, await back(-1)))
    await confirmedRegister(sale.partner, fileOf(sold, await back(0)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('refunds count once by order in one register and by ticket in another', async ({
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
    assert.deepEqual(await caseExposureOf(orderId), { buyer: 24_000 })
  })

  test('refunds that two registers number in their own ways are the same; a third that shows more counts', async ({
    assert,
  }) => {
    const sale = await aSale()
    const seats = ['seat-2-1', 'seat-2-2', 'seat-2-3', 'seat-2-4']
    const orderId = await soldOrderOf(sale, seats)
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const sold = await lineOf(orderId)
    const back = (payment: string, tenge: string) => lineOf(orderId, { payment, tenge })
    await confirmedRegister(sale.partner, fileOf(sold, await back('rrn-1', '-12000')))
    await confirmedRegister(sale.partner, fileOf(sold, await back('rrn-2', '-12000')))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['36000 BUYER'])
    await confirmedRegister(sale.partner, fileOf(sold, await back('', '-24000')))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['24000 BUYER'])
  })

  test('a corrected register by order adds its one refund more than the register by ticket', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2', 'seat-2-3', 'seat-2-4'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const sold = await lineOf(orderId)
    const back = (tenge: string, minutes: number) =>
      lineOf(orderId, { tenge, at: minutesAfter(noonOn(0), minutes) })
    await confirmedRegister(
      sale.partner,
      fileOf(sold, await back('-12000', 1), await back('-12000', 2))
    )
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['24000 BUYER'])
    await confirmedRegister(sale.partner, fileOf(sold, await back('-36000', 3)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('a register that lacks an undated refund does not take it away', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const sold = await lineOf(orderId)
    const back = (at: string) => lineOf(orderId, { tenge: '-12000', at, payment: '' })
    await confirmedRegister(sale.partner, fileOf(sold, await back(noonOn(0)), await back('')))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
    await confirmedRegister(sale.partner, fileOf(sold, await back(noonOn(0))))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  for (const isFirst of [false, true])
    test(`three refunds of two terminals in overlapping registers count as three, ${isFirst ? 'one' : 'other'} file first`, async ({
      assert,
    }) => {
      const sale = await aSale()
      const seats = ['seat-2-1', 'seat-2-2', 'seat-2-3', 'seat-2-4']
      const orderId = await soldOrderOf(sale, seats)
      await refund(sale.client, orderId, await ticketsOf(orderId))
      const sold = await lineOf(orderId)
      const back = (payment: string, minutes: number) =>
        lineOf(orderId, { payment, tenge: '-12000', at: minutesAfter(noonOn(0), minutes) })
      const files = [
        fileOf(sold, await back('rrn-1', 1), await back('rrn-2', 2)),
        fileOf(sold, await back('rrn-1', 1), await back('rrn-1', 3)),
      ]
      for (const file of isFirst ? files : files.toReversed())
        await confirmedRegister(sale.partner, file)
      await refreshDefects(sale.partner)
      assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    })
})

test.group('Refunds of one of two charges', () => {
  test('of two charges with acquirer ids the first is refunded in the next register', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await moveInTime(sale.partner, '-10 days')
    const line = (payment: string, tenge: string, day: number) =>
      lineOf(orderId, { payment, tenge, at: noonOn(day) })
    const charges = [await line('rrn-1', '12000', -10), await line('rrn-2', '12000', -10)]
    await confirmedRegister(sale.partner, fileOf(...charges), daysAgo(12, 8))
    await confirmedRegister(sale.partner, fileOf(await line('rrn-1', '-12000', 0)), daysAgo(2, -1))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('of two charges with acquirer ids the second is refunded in the next register', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await moveInTime(sale.partner, '-10 days')
    const line = (payment: string, tenge: string, day: number) =>
      lineOf(orderId, { payment, tenge, at: noonOn(day) })
    const charges = [await line('rrn-1', '12000', -10), await line('rrn-2', '12000', -10)]
    await confirmedRegister(sale.partner, fileOf(...charges), daysAgo(12, 8))
    await confirmedRegister(sale.partner, fileOf(await line('rrn-2', '-12000', 0)), daysAgo(2, -1))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('the confirmed charge is refunded in full, and the other one pays for the order', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const lines = [
      await lineOf(orderId),
      await lineOf(orderId, { tenge: '-12000' }),
      await lineOf(orderId, { payment: 'pay-2' }),
    ]
    await confirmedRegister(sale.partner, fileOf(...lines))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('a second charge is refunded in a later register without payment ids', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await moveInTime(sale.partner, '-10 days')
    const first = fileOf(await lineOf(orderId), await lineOf(orderId, { payment: 'pay-2' }))
    await confirmedRegister(sale.partner, first, daysAgo(12, 8))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    // The next month's file has no ids of payments at all.
    const back = await lineOf(orderId, { payment: '', tenge: '-12000', at: noonOn(0) })
    await confirmedRegister(sale.partner, fileOf(back), daysAgo(2, -1))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('a second charge is refunded with an id of the refund in a later register', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await moveInTime(sale.partner, '-10 days')
    const first = fileOf(await lineOf(orderId), await lineOf(orderId, { payment: 'pay-2' }))
    await confirmedRegister(sale.partner, first, daysAgo(12, 8))
    const back = await lineOf(orderId, { payment: 'refund-77', tenge: '-12000', at: noonOn(0) })
    await confirmedRegister(sale.partner, fileOf(back), daysAgo(2, -1))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('a second charge is refunded with an id of the refund in the same register', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const lines = [
      await lineOf(orderId),
      await lineOf(orderId, { payment: 'pay-2' }),
      await lineOf(orderId, { payment: 'refund-77', tenge: '-12000' }),
    ]
    await confirmedRegister(sale.partner, fileOf(...lines))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })
})
