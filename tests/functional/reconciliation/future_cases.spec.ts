import { aStaffMember } from '#tests/support/browser'
import { refreshDefects } from '#tests/support/cases'
import { signedIn } from '#tests/support/page_client'
import { defectsOf, noonOn } from '#tests/support/register_defects'
import {
  confirmedRegister,
  confirmRegister,
  decideMatches,
  fileOf,
  lineOf,
  matchedRegister,
  partnerFieldsOf,
  saleOfOrders,
  ticketsOf,
} from '#tests/support/registers'
import { refund } from '#tests/support/operations'
import { test } from '@japa/runner'

/** kind → `count, tenge, more, less`, as the dialog in which a register is confirmed reads them. */
async function futureCasesOf(registerId: number) {
  const finance = await signedIn(await aStaffMember('finance'))
  const found = await finance.part(`/registers/${registerId}`, 'futureCases')
  return Object.fromEntries(
    (found as Record<string, string | number>[]).map(
      ({ kind, count, tenge, moreTenge, lessTenge }) => [
        kind,
        [count, tenge, moreTenge, lessTenge].join(', '),
      ]
    )
  )
}

test.group('What becomes a case when a register is confirmed', () => {
  test('differences are counted by kind, with what each of them differs by', async ({ assert }) => {
    const { partner, client, orders } = await saleOfOrders(6)
    const [more, less, declined, refunded, , agreeing] = orders
    await refund(client, refunded, await ticketsOf(refunded))
    const paid = await lineOf(declined)
    const registerId = await matchedRegister(
      partner,
      fileOf(
        await lineOf(more, { tenge: '15000' }),
        await lineOf(less, { tenge: '7000' }),
        paid.replace('Оплата', 'Отклонено'),
        await lineOf(refunded),
        `o-stranger;pay-9;${noonOn(0)};7000;Оплата`,
        await lineOf(agreeing)
      )
    )
    assert.deepEqual(await futureCasesOf(registerId), {
      sums: '2, 27000, 3000, 5000',
      statuses: '1, 12000, 0, 0',
      refunds: '1, 12000, 12000, 0',
      unknown_money: '1, 7000, 7000, 0',
      missing_orders: '1, 12000, 0, 12000',
    })
  })

  test('they are not counted for the page, which asks for them when its dialog opens', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const registerId = await matchedRegister(partner, fileOf(await lineOf(orders[0])))
    const finance = await signedIn(await aStaffMember('finance'))
    const { props } = await finance.get(`/registers/${registerId}`)
    assert.notProperty(props, 'futureCases')
  })

  test('nothing does of a register without differences, nor of a confirmed one', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const clean = fileOf(...(await Promise.all(orders.map((id) => lineOf(id)))))
    assert.deepEqual(await futureCasesOf(await matchedRegister(partner, clean)), {})
    const lacking = fileOf(await lineOf(orders[0]))
    assert.deepEqual(await futureCasesOf(await confirmedRegister(partner, lacking)), {})
  })

  test('an order that a confirmed register of another source shows is counted by itself, and becomes none', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(3)
    const [here, shown, declined] = await Promise.all(orders.map((id) => lineOf(id)))
    await confirmedRegister(partner, fileOf(here, shown, declined.replace('Оплата', 'Отклонено')), {
      sourceName: 'Карты',
    })
    const registerId = await matchedRegister(partner, fileOf(here), { sourceName: 'Кошельки' })
    assert.deepEqual(await futureCasesOf(registerId), {
      shown_elsewhere: '1, 12000, 0, 12000',
      missing_orders: '1, 12000, 0, 12000',
    })
    await confirmRegister(registerId)
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [`MISSING_AT_PARTNER ${orders[2]} 12000 PLATFORM`])
  })

  test('what only a register shows that would be replaced becomes a case', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(2)
    const [here, lacking] = await Promise.all(orders.map((id) => lineOf(id)))
    const source = { sourceName: 'Карты' }
    const older = await confirmedRegister(partner, fileOf(here, lacking), source)
    const newer = await matchedRegister(partner, fileOf(here), source)
    assert.deepEqual(await futureCasesOf(newer), { missing_orders: '1, 12000, 0, 12000' })
    await confirmRegister(newer, { replaces: [older] })
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [`MISSING_AT_PARTNER ${orders[1]} 12000 PLATFORM`])
  })

  test('an order of a row that cannot be read is counted by itself', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(2)
    const registerId = await matchedRegister(
      partner,
      fileOf(
        await lineOf(orders[0]),
        await lineOf(orders[1], { at: '22.11.2062 12:00:00', payment: '' })
      )
    )
    assert.deepEqual(await futureCasesOf(registerId), {
      named_in_unread_rows: '1, 12000, 0, 12000',
    })
  })

  test('a rejected suggestion is counted as rejected alone', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(1)
    const { key } = await partnerFieldsOf(orders[0])
    const line = await lineOf(orders[0], { key: key.toUpperCase(), payment: '', tenge: '15000' })
    const registerId = await matchedRegister(partner, fileOf(line))
    assert.deepEqual(await futureCasesOf(registerId), { sums: '1, 15000, 3000, 0' })
    await decideMatches(registerId, { decision: 'rejected' })
    assert.deepEqual(await futureCasesOf(registerId), {})
  })
})
