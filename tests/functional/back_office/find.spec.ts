import type { Findings } from '#back_office/find/find_props'
import { RequestMemo } from '#ledger/actions/memos'
import type { Role } from '#staff/role'
import { aBuyer, bought } from '#tests/support/buyers'
import { lateCase } from '#tests/support/cases'
import { aStaffMember } from '#tests/support/browser'
import { aPartner, aSale, paymentOf, TESTER } from '#tests/support/fixtures'
import { confirm } from '#tests/support/operations'
import { expiredOrderOf } from '#tests/support/register_defects'
import { one } from '#tests/support/rows'
import { StaffClient } from '#tests/support/staff_client'
import { test } from '@japa/runner'

async function aFinder(role: Role) {
  const client = await StaffClient.signedIn(role)
  return (text: string): Promise<Findings> =>
    client.json(`/back-office/find?q=${encodeURIComponent(text)}`)
}
const idsOf = ({ orders }: Findings) => orders.map(({ id }) => id)

test.group('The palette finds', () => {
  test('an order by its number, also without zeros, year or prefix, and in another layout', async ({
    assert,
  }) => {
    const find = await aFinder('support')
    const { orderId } = await bought()
    const [prefix, year, number] = orderId.split('-')
    const short = String(Number(number))
    const texts = [
      orderId,
      orderId.toLowerCase(),
      short,
      `${year}-${short}`,
      `${prefix} ${year} ${short}`,
    ]
    for (const text of texts) assert.include(idsOf(await find(text)), orderId, text)
    const russian = orderId.replace('TIX', 'ЕШЧ')
    assert.deepEqual(idsOf(await find(russian)), [orderId])
  })

  test('a buyer by words of the name in any order, their beginnings, phone and e-mail', async ({
    assert,
  }) => {
    const find = await aFinder('support')
    const surname = [...String(Date.now())].map((digit) => 'абвгдежзик'[Number(digit)]).join('')
    const buyer = { ...aBuyer(), name: `Айгүл ${surname}-Нұрланқызы д'Артаньян` }
    const { orderId } = await bought(buyer)
    const texts = [
      buyer.name,
      `${surname} айг`,
      `НҰРЛАН ${surname.slice(0, 12)}`,
      `артань ${surname}`,
      buyer.phone,
      buyer.email,
    ]
    for (const text of texts) assert.deepEqual(idsOf(await find(text)), [orderId], text)
    assert.notInclude(idsOf(await find(`Омарова ${surname}`)), orderId)
  })

  test('an order by a payment that was refused for it', async ({ assert }) => {
    const find = await aFinder('support')
    const sale = await aSale()
    const orderId = await expiredOrderOf(sale, 'seat-2-1')
    const payment = paymentOf(12_000)
    await confirm(sale.client, orderId, payment)
    const found = await find(payment.payment_info.external_payment_id)
    assert.deepEqual(idsOf(found), [orderId])
  })

  test('events, partners and people by a part of their name, at most five of each', async ({
    assert,
  }) => {
    const find = await aFinder('admin')
    const { event, partner } = await aSale()
    const { id, title } = await one('SELECT id, title FROM events WHERE id = ?', event.id)
    const byId = await find(id as string)
    assert.deepEqual(
      byId.events.map((found) => found.id),
      [event.id]
    )
    const byTitle = await find((title as { ru: string }).ru.slice(0, 6))
    assert.isAtMost(byTitle.events.length, 5)
    assert.isAbove(byTitle.events.length, 0)
    const byCode = await find(partner.code)
    assert.deepEqual(
      byCode.partners.map(({ code }) => code),
      [partner.code]
    )
    const person = await aStaffMember('gate')
    const byEmail = await find(person.email)
    assert.deepEqual(
      byEmail.people.map(({ email }) => email),
      [person.email]
    )
  })

  test('cases by their number and orders; people for those who may see them', async ({
    assert,
  }) => {
    const { caseId: id, orderId } = await lateCase()
    const findForFinance = await aFinder('finance')
    for (const text of [`№ ${id}`, orderId]) {
      const { records } = await findForFinance(text)
      assert.deepInclude(
        records.map((found) => [found.kind, found.id]),
        ['case', id],
        text
      )
    }
    const findForSupport = await aFinder('support')
    const { records, orders, people } = await findForSupport(orderId)
    assert.deepEqual([records.map((found) => [found.kind, found.id]), people], [[['case', id]], []])
    assert.deepEqual(
      orders.map((found) => found.id),
      [orderId]
    )
  })

  test('a memo by its number, for those who may read settlement', async ({ assert }) => {
    const { code: partnerCode } = await aPartner()
    const asked = { partnerCode, kind: 'adj_credit', amountTenge: 1_000n, origin: null } as const
    const request = new RequestMemo()
    const { memoId } = await request.handle({ ...asked, reason: 'Возврат', actor: TESTER })
    const { number } = await one('SELECT number FROM settlement_memos WHERE id = ?', memoId)
    const foundBy = async (role: Role) => {
      const find = await aFinder(role)
      const { records } = await find(`MEM-${number}`)
      return records.map(({ kind, id }) => [kind, id])
    }
    assert.deepEqual(await foundBy('finance'), [['memo', memoId]])
    assert.deepEqual(await foundBy('support'), [])
  })

  test('nothing for nothing', async ({ assert }) => {
    const find = await aFinder('admin')
    for (const text of ['', '  ', "'", '\\', ':*', '& | !', 'щщщщщ'])
      assert.deepEqual(
        await find(text),
        { orders: [], records: [], events: [], partners: [], people: [] },
        text
      )
  })
})
