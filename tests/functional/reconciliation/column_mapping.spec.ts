import ChooseRegisterSheet from '#reconciliation/actions/choose_register_sheet'
import { findRegister } from '#reconciliation/store/find_register'
import { refreshDefects } from '#tests/support/cases'
import { exposuresOf } from '#tests/support/register_defects'
import { aStaffMember } from '#tests/support/browser'
import { aSale } from '#tests/support/fixtures'
import { signedIn } from '#tests/support/page_client'
import {
  confirmedRegister,
  confirmRegister,
  decideMatches,
  matchedRegister,
  matchesOf,
  partnerFieldsOf,
  fileOf,
  lineOf,
  mapColumns,
  readAndMatch,
  refusalOf,
  saleOfOrders,
  upload,
  versionOf,
} from '#tests/support/registers'
import { one } from '#tests/support/rows'
import { performRun, performRuns, untilRun } from '#tests/support/runs'
import { test } from '@japa/runner'

test.group('Column mapping', () => {
  test('the partner’s last mapping is proposed for its next file', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(3)
    const header = 'Ref A;Ref B;When;Value'
    const row = async (id: string) => {
      const line = await lineOf(id)
      return line.split(';').slice(0, 4).join(';')
    }
    const first = await upload(partner, [header, await row(orders[0])].join('\n'))
    const { version } = await findRegister(first.registerId)
    await new ChooseRegisterSheet().handle({ registerId: first.registerId, version, headerLine: 1 })
    await mapColumns(first.registerId, { partnerOrderId: 0, paymentId: 1, paidAt: 2, amount: 3 })
    const second = await upload(partner, [header, await row(orders[1])].join('\n'))
    const { preview } = await findRegister(second.registerId)
    const { proposal } = preview
    assert.equal(proposal.remembered, 'APPLIED')
    assert.deepEqual(proposal.mapping, { partnerOrderId: 0, paymentId: 1, paidAt: 2, amount: 3 })
  })

  test('a file with other columns than its source names those that it lacks, before anything is read', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const first = await matchedRegister(partner, fileOf(await lineOf(orders[0])))
    const { sourceId } = await findRegister(first)
    const { key, at } = await partnerFieldsOf(orders[1])
    const other = ['Заказ покупателя;Дата;Итого к оплате', `${key};${at};12000`].join('\n')
    const { registerId } = await upload(partner, other, { sourceId })
    const finance = await signedIn(await aStaffMember('finance'))
    const { props } = await finance.get(`/registers/${registerId}/mapping`)
    assert.deepEqual(props.proposal.remembered, {
      missingHeaders: ['Номер заказа', 'ID платежа', 'Сумма', 'Дата оплаты', 'Тип операции'],
      repeatedHeaders: [],
    })
    const { state, control } = await findRegister(registerId)
    assert.deepEqual([state, control], ['uploaded', null])
  })

  test('headers of the chosen source are missed also where those of another source fit', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const shop = await matchedRegister(partner, fileOf(await lineOf(orders[0])))
    const { key, at } = await partnerFieldsOf(orders[1])
    const bank = ['Заказ покупателя;Дата;Итого к оплате', `${key};${at};12000`].join('\n')
    const ofBank = await matchedRegister(partner, bank, { sourceName: 'Банк' })
    const { sourceId } = await findRegister(shop)
    const { registerId } = await upload(partner, `${bank}\n`, { sourceId })
    const finance = await signedIn(await aStaffMember('finance'))
    const proposal = async () => {
      const { props } = await finance.get(`/registers/${registerId}/mapping`)
      return props.proposal as object
    }
    const missing = ['Номер заказа', 'ID платежа', 'Сумма', 'Дата оплаты', 'Тип операции']
    assert.deepInclude(await proposal(), {
      remembered: 'APPLIED',
      refusedBySource: { missingHeaders: missing, repeatedHeaders: [] },
    })
    const { sourceId: other } = await findRegister(ofBank)
    const version = await versionOf(registerId)
    await finance.put(`/registers/${registerId}/source`, { version, sourceId: other })
    assert.deepInclude(await proposal(), { refusedBySource: null })
  })

  test('nothing of a file with other columns than its source counts before a person maps them', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const first = await confirmedRegister(partner, fileOf(await lineOf(orders[0])))
    const { sourceId } = await findRegister(first)
    const { key, at } = await partnerFieldsOf(orders[0])
    const other = [
      'Заказ покупателя;Дата;Итого к оплате',
      `${key};${at};12000`,
      `o-stranger;${at};7000`,
    ]
    const { registerId } = await upload(partner, other.join('\n'), { sourceId })
    const { preview } = await findRegister(registerId)
    assert.deepEqual(preview.proposal.remembered, {
      missingHeaders: ['Номер заказа', 'ID платежа', 'Сумма', 'Дата оплаты', 'Тип операции'],
      repeatedHeaders: [],
    })
    const stored = () =>
      one(
        'SELECT count(*)::int AS lines FROM partner_register_rows WHERE register_id = ?',
        registerId
      )
    const confirmInstead = () => confirmRegister(registerId, { replaces: [first] })
    assert.deepEqual(await stored(), { lines: 0 })
    assert.equal((await refusalOf(confirmInstead()))!.refusalCode, 'STATUS_NOT_REACHABLE')
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), [])

    await mapColumns(registerId)
    await readAndMatch(registerId)
    await confirmInstead()
    await refreshDefects(partner)
    assert.deepEqual(await stored(), { lines: 2 })
    assert.deepEqual(await exposuresOf(partner), ['7000 BUYER'])
  })

  test('the mapping of the source is proposed whose headers fit, and new columns next to it', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const shop = 'Ref A;Ref B;When;Value'
    const bank = 'Ref B;Ref A;Value;When;Batch'
    const { key, payment, at, tenge } = await partnerFieldsOf(orders[0])
    const ofShop = await upload(partner, [shop, `${key};${payment};${at};${tenge}`].join('\n'), {
      sourceName: 'Магазин',
    })
    const see = { registerId: ofShop.registerId, version: 1, headerLine: 1 }
    await new ChooseRegisterSheet().handle(see)
    await mapColumns(ofShop.registerId, { partnerOrderId: 0, paymentId: 1, paidAt: 2, amount: 3 })
    const row = [payment, key, tenge, at, 'b-1'].join(';')
    const ofBank = await upload(partner, [bank, row].join('\n'), { sourceName: 'Банк' })
    await mapColumns(ofBank.registerId, { paymentId: 0, partnerOrderId: 1, amount: 2 })

    const proposedFor = async (header: string, more: string, sourceName?: string) => {
      const file = [header, `${row};${more}`].join('\n')
      const { registerId } = await upload(partner, file, { sourceName, sourceId: undefined })
      const { preview } = await findRegister(registerId)
      return preview.proposal
    }
    const next = await proposedFor(`${bank};Комиссия`, '250', 'Банк')
    assert.equal(next.remembered, 'APPLIED')
    assert.deepEqual(next.mapping, { paymentId: 0, partnerOrderId: 1, amount: 2, fee: 5 })
    const unnamed = await proposedFor(`${bank};Заметка`, 'x', 'Новый')
    assert.deepEqual(unnamed.mapping, { paymentId: 0, partnerOrderId: 1, amount: 2 })
  })

  test('an invalid mapping is refused, and so is a confirmation before the register is matched', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(3)
    const { registerId } = await upload(partner, fileOf(await lineOf(orders[0])))
    const refused = async (mapping: object) =>
      (await refusalOf(mapColumns(registerId, mapping)))!.refusalCode
    assert.equal(await refused({ partnerOrderId: 0 }), 'INVALID_PARAMETERS')
    assert.equal(await refused({ amount: 3 }), 'INVALID_PARAMETERS')
    assert.equal(await refused({ amount: 3, orderId: 3 }), 'INVALID_PARAMETERS')
    assert.equal(await refused({ amount: 3, orderId: 17 }), 'INVALID_PARAMETERS')
    assert.equal(await refused({ amount: 3, colour: 1 }), 'INVALID_PARAMETERS')
    assert.equal(
      (await refusalOf(confirmRegister(registerId)))!.refusalCode,
      'STATUS_NOT_REACHABLE'
    )
  })

  test('without a column of numbers, rows are matched by day and amount', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(2)
    const lines = await Promise.all(
      orders.map(async (id) => {
        const { at, tenge } = await partnerFieldsOf(id)
        return `${at.slice(0, 10)};${tenge}`
      })
    )
    const registerId = await matchedRegister(partner, ['Дата оплаты;Сумма', ...lines].join('\n'))
    const { mapping, control } = await findRegister(registerId)
    assert.deepEqual(mapping, { paidAt: 0, amount: 1 })
    assert.include(control!, { rowsIn: 2, sumTenge: '24000' })
    assert.deepEqual(await matchesOf(registerId), [
      `MATCHED SUGGESTED_BY_LIKENESS [2,3] ${orders.join(',')}`,
    ])
    await decideMatches(registerId, { decision: 'accepted' })
    await confirmRegister(registerId)
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), [])
  })

  test('a mapping that changes while the file is read is applied, and the register is matched by it', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const finance = await signedIn(await aStaffMember('finance'))
    const lines = Array.from({ length: 20_000 }, (_, i) => `o-${i};p-${i};;5000;Оплата`)
    const { registerId } = await upload(partner, fileOf(...lines))
    const setMapping = async () => {
      const { version, preview } = await findRegister(registerId)
      const { mapping } = preview.proposal
      await finance.put(`/registers/${registerId}/mapping`, { version, mapping })
    }
    await setMapping()
    const { id: runId } = await one('SELECT max(id) AS id FROM settlement_runs')
    const done = performRun(runId as number)
    await untilRun(runId as number, ({ progress }) => progress !== null)
    await setMapping()
    await done
    await performRuns(partner)
    const { state } = await findRegister(registerId)
    assert.equal(state, 'matched')
  }).timeout(200_000)
})
