import AddRegisterSheets from '#reconciliation/actions/add_register_sheets'
import LeaveOutSheets from '#reconciliation/actions/leave_out_sheets'
import RemoveRegisterPart from '#reconciliation/actions/remove_register_part'
import DropRegister from '#reconciliation/actions/drop_register'
import ChooseRegisterSheet from '#reconciliation/actions/choose_register_sheet'
import { findRegister } from '#reconciliation/store/find_register'
import { registerPath } from '#reconciliation/store/register_file'
import { leftOutSheetsOf, partsOf, undecidedSheetsOf } from '#reconciliation/store/register_parts'
import { aStaffMember } from '#tests/support/browser'
import { TESTER } from '#tests/support/fixtures'
import { signedIn } from '#tests/support/page_client'
import { StaffClient } from '#tests/support/staff_client'
import {
  addFile,
  addSheets,
  ASKER,
  confirmRegister,
  decideMatches,
  fileOf,
  HEADER,
  lineOf,
  mapColumns,
  matchedRegister,
  matchesOf,
  partnerFieldsOf,
  placesOf,
  readAndMatch,
  refusalOf,
  saleOfOrders,
  upload,
  versionOf,
} from '#tests/support/registers'
import { rows } from '#tests/support/rows'
import { bookOfSheets } from '#tests/support/workbook_file'
import { test } from '@japa/runner'
import { access } from 'node:fs/promises'

const BOOK = { fileName: 'ноябрь.xlsx' }
const NO_KIND = 'Номер заказа;ID платежа;Дата оплаты;Сумма'
const withoutKind = (line: string) => line.split(';').slice(0, 4).join(';')

/** Takes undecided sheets out of the way. */
async function leaveOut(registerId: number, sheet: string, reason = 'Сводка') {
  const register = await findRegister(registerId)
  const undecided = await undecidedSheetsOf(register)
  const sheets = undecided.filter((one) => one.sheet === sheet)
  const { version } = register
  await new LeaveOutSheets().handle({ registerId, version, sheets, reason, actor: TESTER })
}

async function removePart(registerId: number, number: number) {
  const version = await versionOf(registerId)
  return new RemoveRegisterPart().handle({ registerId, version, number, actor: TESTER })
}

const sumsOf = async (registerId: number) => {
  const { control, totals } = await findRegister(registerId)
  const placed = Object.values(totals!).reduce((sum, one) => sum + BigInt(one.rowsTenge), 0n)
  return { rows: control!.rowsIn, read: BigInt(control!.sumTenge), placed }
}

test.group('Several sheets of a register', () => {
  test('sheets of sales and refunds are one register, whose rows are named by sheet and row', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(3)
    const { key, payment, at } = await partnerFieldsOf(orders[0])
    const book = bookOfSheets({
      Продажи: [
        'Продажи за ноябрь',
        NO_KIND,
        withoutKind(await lineOf(orders[0])),
        withoutKind(await lineOf(orders[1])),
      ],
      // Plain sums, and another order of columns.
      Возвраты: ['Сумма;Номер заказа;Дата оплаты;ID платежа', `12000;${key};${at};${payment}`],
      Пусто: [],
    })
    const registerId = await matchedRegister(partner, book, BOOK)
    const undecided = await undecidedSheetsOf(await findRegister(registerId))
    assert.deepEqual(
      undecided.map(({ file, sheet }) => [file, sheet]),
      [['ноябрь.xlsx', 'Возвраты']]
    )
    assert.deepInclude(await refusalOf(confirmRegister(registerId)), {
      refusalCode: 'SHEETS_UNDECIDED',
      sheets: [{ file: 'ноябрь.xlsx', sheet: 'Возвраты' }],
    })
    await addSheets(registerId, { Возвраты: 'refunds' })
    assert.deepEqual(await placesOf(registerId), ['Продажи 3', 'Продажи 4', 'Возвраты 2'])
    assert.deepEqual(await matchesOf(registerId), [
      `REFUND_DIFF EXACT [3,6] ${orders[0]}`,
      `MATCHED EXACT [4] ${orders[1]}`,
      `MISSING_AT_PARTNER NONE [] ${orders[2]}`,
    ])
    assert.deepEqual(await sumsOf(registerId), { rows: 3, read: 12_000n, placed: 12_000n })
    await confirmRegister(registerId)
    const { state } = await findRegister(registerId)
    assert.equal(state, 'confirmed')
  })

  test('a sheet with other columns is refused by its name and theirs, or left out with a reason', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const row = await lineOf(orders[0])
    const book = bookOfSheets({
      'День 1': [HEADER, row],
      'Итоги': ['Номер заказа;Итого;Дата оплаты', 'o-1;12000;24.11.2026'],
    })
    const registerId = await matchedRegister(partner, book, BOOK)
    assert.deepInclude(await refusalOf(addSheets(registerId, { Итоги: 'as_stated' })), {
      refusalCode: 'PART_COLUMNS_DIFFER',
      file: 'ноябрь.xlsx',
      sheet: 'Итоги',
      missing: ['ID платежа', 'Сумма', 'Тип операции'],
      unknown: ['Итого'],
    })
    assert.lengthOf(await partsOf(await findRegister(registerId)), 1)
    await leaveOut(registerId, 'Итоги')
    const left = await leftOutSheetsOf(registerId)
    assert.containsSubset(left, [{ sheet: 'Итоги', reason: 'Сводка', leftOutBy: TESTER.name }])
    const { state } = await findRegister(registerId)
    assert.equal(state, 'matched', 'what was read is as it was')
    await confirmRegister(registerId)
    const journal = await rows(
      `SELECT change ->> 'reason' AS reason FROM journal WHERE partner_id = ? AND name = 'register_sheets_left_out'`,
      partner.id
    )
    assert.deepEqual(journal, [{ reason: 'Сводка' }])
  })

  test('a sheet that was left out and is the first one now is not left out', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(1)
    const row = await lineOf(orders[0])
    const book = bookOfSheets({ 'День 1': [HEADER, row], 'День 2': [HEADER, row] })
    const registerId = await matchedRegister(partner, book, BOOK)
    await leaveOut(registerId, 'День 2')
    const version = await versionOf(registerId)
    await new ChooseRegisterSheet().handle({ registerId, version, sheet: 'День 2' })
    assert.deepEqual(await leftOutSheetsOf(registerId), [])
  })

  test('columns that another first sheet does not share are named on the page', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const row = await lineOf(orders[0])
    const totals = ['Номер заказа;Итого;Дата оплаты', 'o-1;12000;24.11.2026']
    const sheets = { 'День 1': [HEADER, row], 'День 2': [HEADER, row], 'Итоги': totals }
    const registerId = await matchedRegister(partner, bookOfSheets(sheets), BOOK)
    await addSheets(registerId, { 'День 2': 'as_stated' })
    const seen = await versionOf(registerId)
    await new ChooseRegisterSheet().handle({ registerId, version: seen, sheet: 'Итоги' })
    const page = await signedIn(await aStaffMember('finance'))
    const path = `/registers/${registerId}/mapping`
    await page.get(path)
    const { version, preview } = await findRegister(registerId)
    await page.put(path, { version, mapping: preview.proposal.mapping })
    const { props } = await page.get(path)
    assert.deepInclude(props.refusedPart, {
      code: 'PART_COLUMNS_DIFFER',
      file: BOOK.fileName,
      sheet: 'День 2',
      missing: ['Итого'],
      unknown: ['ID платежа', 'Сумма', 'Тип операции'],
    })
  })

  test('the same sheet cannot be a part twice, neither can the first sheet become one that is a part', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const sheets = {
      'День 1': [HEADER, await lineOf(orders[0])],
      'День 2': [HEADER, await lineOf(orders[1])],
    }
    const registerId = await matchedRegister(partner, bookOfSheets(sheets), BOOK)
    const [other] = await undecidedSheetsOf(await findRegister(registerId))
    await addSheets(registerId, { 'День 2': 'as_stated' })
    const version = await versionOf(registerId)
    const twice = refusalOf(
      new ChooseRegisterSheet().handle({ registerId, version, sheet: 'День 2' })
    )
    assert.deepInclude(await twice, { refusalCode: 'PART_TWICE', sheet: 'День 2' })
    const again = new AddRegisterSheets().handle({
      registerId,
      version,
      sheets: [{ ...other, rowsAre: 'as_stated' }],
      actor: TESTER,
    })
    assert.deepInclude(await refusalOf(again), { refusalCode: 'PART_TWICE', sheet: 'День 2' })
  })

  test('days and decimals are read by all sheets together', async ({ assert }) => {
    const { partner } = await saleOfOrders(1)
    const header = 'Номер заказа;ID платежа;Дата оплаты;Сумма'
    const book = bookOfSheets({
      // Alone it could be 5 April.
      May: [header, 'o-1;p-1;05/04/2026 10:00;7000'],
      Late: [header, 'o-2;p-2;05/30/2026 10:00;7000'],
    })
    const registerId = await matchedRegister(partner, book, BOOK)
    await addSheets(registerId, { Late: 'as_stated' })
    const read = await rows(
      'SELECT at FROM partner_register_rows WHERE register_id = ? ORDER BY line',
      registerId
    )
    assert.deepEqual(
      read.map(({ at }) => (at as Date).toISOString().slice(0, 10)),
      ['2026-05-04', '2026-05-30']
    )
  })
})

test.group('Several files of a register', () => {
  test('a further file adds its rows; decisions about the others stay, also when a part is removed', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(4)
    const { key } = await partnerFieldsOf(orders[0])
    const suggested = await lineOf(orders[0], { key: key.toUpperCase(), payment: '' })
    const registerId = await matchedRegister(partner, fileOf(suggested, await lineOf(orders[1])), {
      fileName: 'a.csv',
    })
    await decideMatches(registerId, { decision: 'accepted' }, 'MATCHED')
    await addFile(registerId, fileOf(await lineOf(orders[2])))
    await addFile(registerId, fileOf(await lineOf(orders[3])), { fileName: 'c.csv' })
    assert.deepEqual(await placesOf(registerId), ['a.csv 2', 'a.csv 3', 'b.csv 2', 'c.csv 2'])
    const before = await matchesOf(registerId)
    assert.deepEqual(await sumsOf(registerId), { rows: 4, read: 48_000n, placed: 48_000n })
    const decided = async () => {
      const found = await rows(
        'SELECT decision FROM partner_register_cases WHERE register_id = ? AND decision IS NOT NULL',
        registerId
      )
      return found.map(({ decision }) => decision as string)
    }
    assert.deepEqual(await decided(), ['accepted'])

    const [, { sha256 }] = await partsOf(await findRegister(registerId))
    const first = await refusalOf(removePart(registerId, 1))
    assert.deepInclude(first, { refusalCode: 'NO_SUCH' })
    const { isUnread } = await removePart(registerId, 2)
    assert.isTrue(isUnread)
    await assert.rejects(async () => access(await registerPath({ id: registerId, sha256 })))
    await readAndMatch(registerId)
    assert.deepEqual(await placesOf(registerId), ['a.csv 2', 'a.csv 3', 'c.csv 2'])
    assert.deepEqual(await decided(), ['accepted'])
    const kept = before.filter((match) => !match.includes('[5]'))
    const after = await matchesOf(registerId)
    assert.deepEqual(
      after.filter((match) => !match.startsWith('MISSING')),
      kept,
      'rows keep their lines'
    )
    await confirmRegister(registerId)
    const refusal = await refusalOf(addFile(registerId, fileOf('o-9;p-9;;7000;Оплата')))
    assert.deepInclude(refusal, { refusalCode: 'STATUS_NOT_REACHABLE', from: 'confirmed' })
    const removal = await refusalOf(removePart(registerId, 3))
    assert.deepInclude(removal, { refusalCode: 'STATUS_NOT_REACHABLE', from: 'confirmed' })
  })

  test('the file of matches names file and sheet, as sheets of two files may be called the same', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const [first, second] = await Promise.all(orders.map((order) => lineOf(order)))
    const bookOf = (row: string) => bookOfSheets({ Лист1: [HEADER, row] })
    const registerId = await matchedRegister(partner, bookOf(first), { fileName: 'a.xlsx' })
    await addFile(registerId, bookOf(second), { fileName: 'b.xlsx' })
    const staff = await StaffClient.signedIn('finance')
    const answer = await staff.get(`/back-office/registers/${registerId}.csv`)
    const text = await answer.text()
    assert.include(text, 'a.xlsx, Лист1: 2')
    assert.include(text, 'b.xlsx, Лист1: 2')
  })

  test('a file that a register has already is refused, and is found where it is', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const [one, other] = [fileOf(await lineOf(orders[0])), fileOf(await lineOf(orders[1]))]
    const registerId = await matchedRegister(partner, one, { fileName: 'a.csv' })
    assert.deepInclude(await refusalOf(addFile(registerId, one)), {
      refusalCode: 'REGISTER_FILE_TAKEN',
      register_id: registerId,
      file: 'a.csv',
    })
    await addFile(registerId, other)
    const refused = await refusalOf(addFile(registerId, other))
    assert.deepInclude(refused, { refusalCode: 'REGISTER_FILE_TAKEN', register_id: registerId })
    assert.deepEqual(await upload(partner, other), { registerId, isNew: false })
    await new DropRegister().handle({
      registerId,
      version: await versionOf(registerId),
      reason: 'Не тот месяц',
      ...ASKER,
    })
    const again = await upload(partner, other)
    assert.isTrue(again.isNew)
  })

  test('a refused file is named as it was sent, not as in the register that has it', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const [taken, other] = await Promise.all(orders.map(async (id) => fileOf(await lineOf(id))))
    await matchedRegister(partner, taken, { fileName: 'a.csv' })
    const registerId = await matchedRegister(partner, other, { fileName: 'b.csv' })
    const page = await signedIn(await aStaffMember('finance'))
    const path = `/registers/${registerId}`
    await page.get(path)
    const form = new FormData()
    form.set('file', new File([taken], 'c.csv'))
    form.set('version', String(await versionOf(registerId)))
    form.set('rowsAre', 'as_stated')
    await page.post(`${path}/parts`, form)
    const { props } = await page.get(path)
    assert.deepInclude(props.refusedPart, { code: 'REGISTER_FILE_TAKEN', file: 'c.csv' })
  })

  test('a file with other columns is refused and nothing of it is kept', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(1)
    const registerId = await matchedRegister(partner, fileOf(await lineOf(orders[0])))
    const usd = [
      'Номер заказа;ID платежа;Дата оплаты;Сумма, USD;Тип операции',
      'o-1;p-1;;15;Оплата',
    ]
    assert.deepInclude(await refusalOf(addFile(registerId, usd.join('\r\n'))), {
      refusalCode: 'PART_COLUMNS_DIFFER',
      file: 'b.csv',
      sheet: null,
      missing: ['Сумма'],
      unknown: ['Сумма, USD'],
    })
    assert.lengthOf(await partsOf(await findRegister(registerId)), 1)
    const { state } = await findRegister(registerId)
    assert.equal(state, 'matched')
  })

  test('of two people who add a file at once the second is refused and nothing is lost', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(3)
    const { registerId } = await upload(partner, fileOf(await lineOf(orders[0])))
    const version = await versionOf(registerId)
    const [one, other] = [fileOf(await lineOf(orders[1])), fileOf(await lineOf(orders[2]))]
    const both = await Promise.all([
      refusalOf(addFile(registerId, one, { version })),
      refusalOf(addFile(registerId, other, { version, fileName: 'c.csv' })),
    ])
    assert.sameMembers(
      both.map((refusal) => refusal?.refusalCode),
      [undefined, 'STALE']
    )
    await mapColumns(registerId)
    await readAndMatch(registerId)
    assert.lengthOf(await placesOf(registerId), 2)
  })

  test('each part has control totals, and the register agrees when all of them do', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(3)
    const line = (index: number) => lineOf(orders[index])
    const registerId = await matchedRegister(
      partner,
      fileOf(await line(0), await line(1), 'Итого;;;24000;')
    )
    await addFile(registerId, fileOf(await line(2), 'Итого;;;13000;'))
    const differing = await findRegister(registerId)
    assert.deepInclude(differing.control!, { sum: 'DIFFERS' })
    assert.deepInclude(await refusalOf(confirmRegister(registerId)), {
      refusalCode: 'CONTROL_DIFFERS',
      parts: [{ number: 2, count: null, sum: { declaredTenge: '13000', readTenge: '12000' } }],
    })
    await removePart(registerId, 2)
    // The second file has the total of both.
    await addFile(registerId, fileOf(await line(2), 'Итого;;;36000;'), { fileName: 'c.csv' })
    await readAndMatch(registerId)
    const { control } = await findRegister(registerId)
    assert.deepInclude(control!, { sum: 'AGREES', sumTenge: '36000' })
    await confirmRegister(registerId)
  })

  test('a row that cannot be read to its end names its part', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(1)
    const registerId = await matchedRegister(partner, fileOf(await lineOf(orders[0])))
    const wide = 'x'.repeat(40_000)
    const many = Array.from({ length: 6_000 }, (_, n) => `o-${n};p-${n};;7000;Оплата`)
    const added = addFile(registerId, fileOf(...many, `o-x;${wide};;7000;Оплата`))
    // It cannot be matched.
    assert.deepInclude(await refusalOf(added), {
      refusalCode: 'STATUS_NOT_REACHABLE',
      from: 'mapped',
    })
    const { problem, state } = await findRegister(registerId)
    assert.equal(state, 'mapped')
    assert.deepInclude(problem!, { problem: 'cell_too_long', part: 2, line: 6_002 })
  })
})
