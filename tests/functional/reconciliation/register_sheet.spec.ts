import DropRegister from '#reconciliation/actions/drop_register'
import { streamRows } from '#shared/stream_rows'
import { transaction } from '#shared/transaction'
import { listSheets } from '#spreadsheets/read_table'
import { checkWorkbook } from '#returned_workbooks/check/check_workbook'
import { scopeSql } from '#workbooks/sheets/scope_sql'
import { rowInWords, rowsSql, type DataRow } from '#workbooks/sheets/sheet'
import { register } from '#workbooks/sheets/register'
import { WORDS } from '#workbooks/words/words'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { aSale } from '#tests/support/fixtures'
import {
  addFile,
  addSheets,
  ASKER,
  confirmedRegister,
  confirmRegister,
  fileOf,
  HEADER,
  lineOf,
  matchedRegister,
  saleOfOrders,
  soldOrderOf,
  THESE_DAYS,
  versionOf,
} from '#tests/support/registers'
import { bookOfSheets } from '#tests/support/workbook_file'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { test } from '@japa/runner'

const sheetOf = ({ id }: { id: number }) => {
  const sql = `${scopeSql(false)} ${rowsSql(register)}`
  const scope = {
    partnerId: id,
    ...THESE_DAYS,
    statementId: null,
    language: 'ru',
    takesLate: false,
  }
  return transaction((trx) => Array.fromAsync(streamRows<DataRow>(sql, scope, trx)))
}

test.group('Register sheet of the workbook', (group) => {
  const scratch = scratchDirectory(group)

  test('has a row for each line of a confirmed register and for each order missing from it', async ({
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
    assert.lengthOf(await sheetOf(partner), 0)
    await confirmRegister(registerId)
    const found = await sheetOf(partner)
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
      register.columns.filter(({ wordsFor }) => !wordsFor).map(({ key }) => key)
    )
    const words = found.map((row) => {
      const { statusName, categoryName, matchStepName } = rowInWords(register, row, WORDS.ru)
      return [statusName, categoryName, matchStepName]
    })
    assert.deepEqual(words, [
      ['Оплачен', 'Разные суммы', 'номер заказа и платежа'],
      ['Оплачен', 'Нет у партнёра', 'не найдено'],
    ])
  })

  test('names the sheet or file of a row, and its row there, where a register has several', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(4)
    const [one, two, three] = await Promise.all(orders.slice(0, 3).map((id) => lineOf(id)))
    const book = bookOfSheets({ 'День 1': [HEADER, one], 'День 2': ['Реестр', HEADER, two] })
    const registerId = await matchedRegister(partner, book, { fileName: 'a.xlsx' })
    await addSheets(registerId, { 'День 2': 'as_stated' })
    await addFile(registerId, fileOf(three))
    await confirmRegister(registerId)
    const found = await sheetOf(partner)
    assert.deepEqual(
      found.map(({ registerFile, fileLine, ourOrder }) => [registerFile, fileLine, ourOrder]),
      [
        ['a.xlsx, «День 1»', 2, orders[0]],
        ['a.xlsx, «День 2»', 3, orders[1]],
        ['b.csv', 2, orders[2]],
        ['a.xlsx', null, orders[3]],
      ]
    )
  })

  test('is written once a register is confirmed, and the workbook still proves itself', async ({
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
    assert.equal(after.fixedDataSha256, before.fixedDataSha256)
    assert.notEqual(after.changeableDataSha256, before.changeableDataSha256)

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
  })
})
