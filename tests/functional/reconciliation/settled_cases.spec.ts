import AddCaseNote from '#case_work/add_case_note'
import ChangeCase, { type CaseChange } from '#case_work/change_case'
import { readCase } from '#finance/cases/read_case'
import { refreshDefects } from '#tests/support/cases'
import { aSale, paymentOf, TESTER } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import { caseExposureOf, expiredOrderOf, noonOn } from '#tests/support/register_defects'
import {
  confirmedRegister,
  confirmRegister,
  fileOf,
  lineOf,
  matchedRegister,
  partnerFieldsOf,
  soldOrderOf,
  ticketsOf,
} from '#tests/support/registers'
import { one, ownerRows, rows } from '#tests/support/rows'
import { aStaffMember } from '#tests/support/browser'
import { test } from '@japa/runner'

test.group('Settled cases', () => {
  test('a dismissed case stays dismissed when another payment of the same amount replaces the first', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const name = `o-${sale.partner.code}`
    const row = (pay: string, tenge: number) =>
      `${name};${pay};${noonOn(0)};${tenge};${tenge < 0 ? 'Возврат' : 'Оплата'}`
    await confirmedRegister(sale.partner, fileOf(sold, row('pay-1', 7_000)))
    await refreshDefects(sale.partner)
    const [found] = await rows(
      `SELECT id, version, payment_ids AS payments FROM settlement_cases WHERE partner_id = ? AND key = ?`,
      sale.partner.id,
      name
    )
    const change = { state: 'dismissed', reason: 'Проверка партнёра' } as const
    await new ChangeCase().handle({
      caseId: found.id as number,
      version: found.version as number,
      change,
      actor: TESTER,
    })
    await confirmedRegister(sale.partner, fileOf(sold, row('pay-1', -7_000), row('pay-2', 7_000)))
    await refreshDefects(sale.partner)
    const [now] = await rows('SELECT state FROM settlement_cases WHERE id = ?', found.id)
    assert.equal(now.state, 'dismissed')
    assert.deepEqual(await caseExposureOf(name), { buyer: 7_000 })
  })

  test('a resolved case opens again when the same amount is another party’s', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const sold = await lineOf(orderId)
    await confirmedRegister(sale.partner, fileOf(sold))
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(orderId), { buyer: 12_000 })
    const read = () => one('SELECT id, state, version FROM settlement_cases WHERE key = ?', orderId)
    const { id: caseId, version } = await read()
    const change = { state: 'resolved', reason: 'Вернули' } as const
    await new ChangeCase().handle({ caseId, version, change, actor: TESTER })
    await refreshDefects(sale.partner)
    const { state } = await read()
    assert.equal(state, 'resolved')
    const back = await lineOf(orderId, { tenge: '-24000' })
    await confirmedRegister(sale.partner, fileOf(sold, back))
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(orderId), { platform: 12_000 })
    const { state: again } = await read()
    assert.equal(again, 'open')
  })

  test('a settled case stays the same one when its payment is sent for one more order', async ({
    assert,
  }) => {
    const sale = await aSale()
    const [first, second] = [
      await expiredOrderOf(sale, 'seat-2-1'),
      await expiredOrderOf(sale, 'seat-2-2'),
    ].toSorted()
    const payment = paymentOf(12_000)
    // The later name comes first: the case keeps it.
    await confirm(sale.client, second, payment)
    await refreshDefects(sale.partner)
    const read = () =>
      rows(
        'SELECT id, key, state FROM settlement_cases WHERE partner_id = ? AND gone_at IS NULL',
        sale.partner.id
      )
    const [{ id: caseId, key }] = await read()
    assert.equal(key, second)
    const change = { state: 'resolved', reason: 'Вернули' } as const
    await new ChangeCase().handle({ caseId, version: 1, change, actor: TESTER })
    await confirm(sale.client, first, payment)
    await refreshDefects(sale.partner)
    assert.deepEqual(await read(), [{ id: caseId, key: second, state: 'resolved' }])
    assert.deepEqual(await caseExposureOf(second), { buyer: 12_000 })
    const { journal } = await readCase(caseId)
    assert.deepEqual(
      journal.map(({ name, change: made }) => [name, 'to' in made && made.to]),
      [['case_changed', 'resolved']]
    )
  })

  for (const hadCase of [false, true])
    test(`a settled case of two orders stays settled as that of the other one, which had ${hadCase ? 'a' : 'no'} case before`, async ({
      assert,
    }) => {
      const sale = await aSale()
      const [first, second] = [
        await soldOrderOf(sale, ['seat-2-1']),
        await soldOrderOf(sale, ['seat-2-2']),
      ].toSorted()
      const right = await lineOf(await soldOrderOf(sale, ['seat-2-3']))
      const read = () =>
        rows(
          `SELECT id, order_ids AS orders, state, resolution, platform_tenge::int AS platform FROM settlement_cases
            WHERE partner_id = ? AND gone_at IS NULL ORDER BY id`,
          sale.partner.id
        )
      const change = (caseId: number, version: number, made: CaseChange) =>
        new ChangeCase().handle({ caseId, version, change: made, actor: TESTER })
      const registers: number[] = []
      const replaceBy = async (...lines: string[]) => {
        const content = { sourceName: 'Магазин', fileName: `${registers.length}.csv` }
        const id = await matchedRegister(sale.partner, fileOf(right, ...lines), content)
        await confirmRegister(id, { replaces: registers.slice(-1) })
        registers.push(id)
        await refreshDefects(sale.partner)
      }
      if (hadCase) {
        await replaceBy()
        const before = await read()
        assert.lengthOf(before, 2)
        await change(before[1].id as number, 1, { state: 'in_work', reason: null })
      }
      const { payment } = await partnerFieldsOf(second)
      await replaceBy(await lineOf(first, { payment }))
      const [joined, ...others] = await read()
      assert.isEmpty(others)
      assert.deepInclude(joined, { orders: [first, second], platform: 12_000 })
      const { version } = await one('SELECT version FROM settlement_cases WHERE id = ?', joined.id)
      const resolved = { state: 'resolved', reason: 'Партнёр доплатит' } as const
      await change(joined.id as number, version as number, resolved)

      await replaceBy(await lineOf(first))
      await refreshDefects(sale.partner)
      const [kept, ...more] = await read()
      assert.isEmpty(more)
      const expected = { state: 'resolved', resolution: 'Партнёр доплатит', platform: 12_000 }
      assert.deepInclude(kept, { orders: [second], ...expected })
      const { journal } = await readCase(kept.id as number)
      assert.deepInclude(
        journal.map(({ name, change: made }) => [name, made.case_id]),
        ['case_merged', joined.id as number]
      )
      const { kase } = await readCase(joined.id as number)
      assert.equal(kase.mergedInto, kept.id)
    })
})

test.group('Cases whose orders turn out to be one story', () => {
  test('are one case, which keeps its owner and notes; the other says so', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const [first, second] = [
      await expiredOrderOf(sale, 'seat-2-2'),
      await expiredOrderOf(sale, 'seat-2-3'),
    ]
    for (const orderId of [first, second]) await confirm(sale.client, orderId, paymentOf(12_000))
    await refreshDefects(sale.partner)
    const idOf = async (key: string) => {
      const found = await one('SELECT id FROM settlement_cases WHERE key = ?', key)
      return found.id as number
    }
    const other = await idOf(second)
    await new AddCaseNote().handle({ caseId: other, text: 'Партнёр проверяет', actor: TESTER })
    const { email } = await aStaffMember('finance')
    const actor = { kind: 'staff', name: email, requestId: null } as const
    const change = { owner: 'me', reason: null } as const
    await new ChangeCase().handle({ caseId: other, version: 1, change, actor })
    const pay = `pay-${sale.partner.code}`
    const lines = [await lineOf(first, { payment: pay }), await lineOf(second, { payment: pay })]
    await confirmedRegister(sale.partner, fileOf(sold, ...lines))
    await refreshDefects(sale.partner)

    const kept = await idOf(first)
    const { kase, notes, journal } = await readCase(kept)
    assert.sameMembers(kase.orderIds, [first, second])
    const owner = await one('SELECT id FROM staff WHERE email = ?', email)
    assert.equal(kase.ownerId, owner.id)
    assert.deepEqual(
      journal.map(({ name, change: made }) => [name, made.case_id]),
      [
        ['case_changed', other],
        ['case_merged', other],
      ]
    )
    assert.deepEqual(
      notes.map(({ text }) => text),
      ['Партнёр проверяет']
    )
    const { kase: merged } = await readCase(other)
    assert.deepEqual([merged.mergedInto, merged.isOpen], [kept, false])
    await refreshDefects(sale.partner)
    const { kase: still } = await readCase(other)
    assert.equal(still.mergedInto, kept)
  })

  for (const isOneOpen of [false, true])
    test(`${isOneOpen ? 'one of them is open: it goes on' : 'all of them ended: they stay ended at both sums'}`, async ({
      assert,
    }) => {
      const sale = await aSale()
      const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
      const [first, second] = [
        await expiredOrderOf(sale, 'seat-2-2'),
        await expiredOrderOf(sale, 'seat-2-3'),
      ]
      const payments = [paymentOf(12_000), paymentOf(12_000)]
      await confirm(sale.client, first, payments[0])
      await confirm(sale.client, second, payments[1])
      await refreshDefects(sale.partner)
      const cases = await rows(
        'SELECT id AS "caseId", version, key FROM settlement_cases WHERE partner_id = ? ORDER BY key',
        sale.partner.id
      )
      const change = { state: 'resolved', reason: 'Вернули' } as const
      for (const { caseId, version } of isOneOpen ? cases.slice(0, 1) : cases)
        await new ChangeCase().handle({ caseId, version, change, actor: TESTER } as Parameters<
          ChangeCase['handle']
        >[0])
      if (!isOneOpen)
        await ownerRows(
          'UPDATE settlement_cases SET settled_platform_tenge = 1000, settled_partner_tenge = 200 WHERE partner_id = ?',
          sale.partner.id
        )
      // The register names the second payment for the first order: one story, and nothing new at risk.
      const { external_payment_id: id } = payments[1].payment_info
      const line = await lineOf(first, { payment: id, at: noonOn(0) })
      await confirmedRegister(sale.partner, fileOf(sold, line))
      await refreshDefects(sale.partner)
      const left = await rows(
        `SELECT state, buyer_tenge::int AS buyer FROM settlement_cases WHERE partner_id = ? AND gone_at IS NULL`,
        sale.partner.id
      )
      const state = isOneOpen ? 'open' : 'resolved'
      assert.deepEqual(left, [{ state, buyer: 24_000 }])
      if (isOneOpen) return
      const settled = await one(
        `SELECT settled_buyer_tenge::int AS buyer, settled_platform_tenge::int AS platform, settled_partner_tenge::int AS partner
           FROM settlement_cases WHERE partner_id = ? AND gone_at IS NULL`,
        sale.partner.id
      )
      assert.deepEqual(settled, { buyer: 24_000, platform: 2_000, partner: 400 })
    })
})
