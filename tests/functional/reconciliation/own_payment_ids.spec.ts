import { listCases } from '#finance/cases/list_cases'
import { readCase } from '#finance/cases/read_case'
import { findRegister } from '#reconciliation/store/find_register'
import { NO_FILTERS, refreshDefects } from '#tests/support/cases'
import { refund } from '#tests/support/operations'
import { exposuresOf, minutesAfter, noonOn } from '#tests/support/register_defects'
import {
  addRefusedConfirm,
  confirmRegister,
  decideMatches,
  fileOf,
  lineOf,
  matchedRegister,
  matchesOf,
  midnight,
  partnerFieldsOf,
  refusalOf,
  saleOfOrders,
  setUpAndRead,
  setUpSource,
  ticketsOf,
} from '#tests/support/registers'
import { one, rows } from '#tests/support/rows'
import { setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

/** Around the days of a register. */
const [DAY_BEFORE, DAY_AFTER] = [midnight(-2), midnight(2)].map((day) => day.toISOString())

test.group('A source that numbers payments in its own way', () => {
  test('is proposed, and once a person agrees, its rows are matched by day and amount', async ({
    assert,
  }) => {
    const { partner, client, orders } = await saleOfOrders(5)
    await setTerms(partner, { refundEvidenceDays: 0 })
    await refund(client, orders[0], await ticketsOf(orders[0]))
    const { at } = await partnerFieldsOf(orders[0])
    const charges = orders.map((_, n) => `rrn-${n};${at};12000`)
    const back = `rrn-0;${minutesAfter(at, 9)};-12000`
    const file = ['ID платежа;Дата оплаты;Сумма', ...charges, back].join('\n')
    const registerId = await matchedRegister(partner, file)
    const unanswered = await refusalOf(confirmRegister(registerId))
    assert.containSubset(unanswered, {
      refusalCode: 'SETUP_UNANSWERED',
      proposals: [{ about: 'paymentIdsAre', value: 'own', fits: 6, of: 6, isProven: false }],
    })
    await setUpAndRead(registerId, { paymentIdsAre: 'own' })
    assert.deepEqual(await matchesOf(registerId), [
      `MATCHED SUGGESTED_BY_LIKENESS [2,3,4,5,6,7] ${orders.join(',')}`,
    ])
    await decideMatches(registerId, { decision: 'accepted' })
    await confirmRegister(registerId)
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), [])
  })

  test('joins nothing by an id that one of our payments happens to have', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(2)
    const other = await partnerFieldsOf(orders[1])
    const file = fileOf(
      await lineOf(orders[0], { payment: other.payment }),
      await lineOf(orders[1], { payment: 'rrn-2' })
    )
    const registerId = await matchedRegister(partner, file)
    assert.deepEqual(await matchesOf(registerId), [
      `MATCHED GROUP_ONE_TO_MANY [2,3] ${orders.join(',')}`,
    ])
    await setUpAndRead(registerId, { paymentIdsAre: 'own' })
    assert.deepEqual(await matchesOf(registerId), [
      `MATCHED BY_ORDER [2] ${orders[0]}`,
      `MATCHED BY_ORDER [3] ${orders[1]}`,
    ])
  })

  test('shows no payment of ours by an id that one happens to have', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(2)
    const [twice, lacking] = orders
    const { payment: taken } = await partnerFieldsOf(lacking)
    const file = fileOf(
      await lineOf(twice, { payment: taken }),
      await lineOf(twice, { payment: 'rrn-2', at: minutesAfter(noonOn(0), 30) })
    )
    const registerId = await matchedRegister(partner, file)
    await setUpAndRead(registerId, { paymentIdsAre: 'own' })
    await confirmRegister(registerId, { waiver: { reason: 'Номера банка' } })
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), ['12000 BUYER', '12000 PLATFORM'])
    const cases = await rows(
      'SELECT key, payment_ids AS payments FROM settlement_cases WHERE partner_id = ? ORDER BY key',
      partner.id
    )
    const { payment } = await partnerFieldsOf(twice)
    assert.deepEqual(cases, [
      { key: twice, payments: [payment, taken, 'rrn-2'] },
      { key: lacking, payments: [taken] },
    ])
  })

  test('a return with the bank’s number alone is of its charge, also in another register', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const [twice, other] = orders
    const { payment: taken } = await partnerFieldsOf(other)
    const first = await matchedRegister(
      partner,
      fileOf(
        await lineOf(twice, { payment: 'rrn-1' }),
        await lineOf(twice, { payment: taken, at: minutesAfter(noonOn(0), 30) }),
        await lineOf(other, { payment: 'rrn-3' })
      ),
      { sourceName: 'Банк' }
    )
    await setUpAndRead(first, { paymentIdsAre: 'own' })
    await confirmRegister(first)
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), ['12000 BUYER'])
    const { sourceId } = await findRegister(first)
    const back = `;${taken};${minutesAfter(noonOn(0), 45)};-12000;Возврат`
    const next = await matchedRegister(partner, fileOf(back), {
      sourceId,
      from: midnight(-2),
      to: midnight(-1),
    })
    // Its only number is one of ours by chance, which is asked about again.
    await confirmRegister(next, { waiver: { reason: 'Номера банка' } })
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), [])
  })

  test('is paid and paid back apart from another one with the same number, also of orders that we do not have', async ({
    assert,
  }) => {
    const { partner } = await saleOfOrders(1)
    const charge = `;17;${noonOn(0)};11000;`
    const back = `;17;${minutesAfter(noonOn(0), 30)};-11000;Возврат`
    for (const [sourceName, ...lines] of [
      ['Банк', charge, back],
      ['Другой банк', charge],
    ]) {
      const registerId = await matchedRegister(partner, fileOf(...lines), { sourceName })
      await setUpAndRead(registerId, { paymentIdsAre: 'own' })
      await confirmRegister(registerId, { waiver: { reason: 'Проверено' } })
    }
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), ['11000 BUYER', '12000 PLATFORM'])
    const { rows: lines } = await listCases(
      { ...NO_FILTERS, partner: partner.code, party: 'BUYER' },
      ''
    )
    assert.deepEqual(
      lines.map(({ orders }) => orders),
      [['17']]
    )
    const { defects, balance } = await readCase(lines[0].id)
    assert.deepEqual(
      defects.map(({ orderId }) => orderId),
      ['17']
    )
    assert.deepEqual(
      balance!.purchases.flatMap(({ orders }) => orders.map(({ id }) => id)),
      ['17']
    )
  })

  test('that a person names so after its registers were confirmed is judged again', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const [twice, other] = orders
    const { payment: taken } = await partnerFieldsOf(other)
    const file = fileOf(
      await lineOf(twice, { payment: 'rrn-1' }),
      await lineOf(twice, { payment: taken, at: minutesAfter(noonOn(0), 30) }),
      await lineOf(other, { payment: 'rrn-3' })
    )
    const registerId = await matchedRegister(partner, file)
    await confirmRegister(registerId, { waiver: { reason: 'Проверено' } })
    await refreshDefects(partner)
    const checks = () =>
      rows(
        `SELECT params FROM settlement_runs WHERE partner_id = ? AND kind = 'check_period' ORDER BY id`,
        partner.id
      )
    const before = await checks()
    await setUpSource(registerId, { paymentIdsAre: 'own' })
    const after = await checks()
    const [asked, ...others] = after.slice(before.length)
    assert.deepEqual([asked.params.from, asked.params.to, others], [DAY_BEFORE, DAY_AFTER, []])
    await refreshDefects(partner)
    assert.lengthOf(await checks(), after.length)
    assert.deepEqual(await exposuresOf(partner), ['12000 BUYER'])
    const { sourceId } = await findRegister(registerId)
    const payments = await rows(
      `SELECT DISTINCT key FROM partner_register_evidence_keys WHERE partner_id = ? AND kind = 'payment' AND key ~ 'source' ORDER BY 1`,
      partner.id
    )
    assert.includeMembers(
      payments.map(({ key }) => key),
      ['rrn-1', taken].map((id) => `${id} of source ${sourceId}`)
    )
  })

  test('is not known to share ids with confirms by one whose signature was forged', async ({
    assert,
  }) => {
    const { partner } = await saleOfOrders(1)
    const namedBy = async (paymentId: string, isSigned: boolean) => {
      await addRefusedConfirm(partner, { orderId: 'TIX-2026-999999997', paymentId, isSigned })
      const registerId = await matchedRegister(
        partner,
        fileOf(`;${paymentId};${noonOn(0)};12000;Оплата`)
      )
      await confirmRegister(registerId)
      await refreshDefects(partner)
      const { named } = await one(
        'SELECT charges_with_id_of_confirms AS named FROM partner_register_kept_evidence WHERE register_id = ?',
        registerId
      )
      return named as number
    }
    assert.equal(await namedBy(`signed-${partner.code}`, true), 1)
    assert.equal(await namedBy(`forged-${partner.code}`, false), 0)
  })

  test('is asked about again when most of its ids are those of confirms', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(2)
    const lines = await Promise.all(orders.map((id) => lineOf(id)))
    const registerId = await matchedRegister(partner, fileOf(...lines))
    await setUpAndRead(registerId, { paymentIdsAre: 'own' })
    assert.containSubset(await refusalOf(confirmRegister(registerId)), {
      refusalCode: 'SETUP_CONTRADICTED',
      proposals: [{ about: 'paymentIdsAre', value: 'shared', fits: 2, of: 2 }],
    })
  })
})
