import ChooseRegisterSheet from '#reconciliation/actions/choose_register_sheet'
import { findRegister } from '#reconciliation/store/find_register'
import { registerPath } from '#reconciliation/store/register_file'
import readRegister from '#worker/run_kinds/read_register'
import { aSale } from '#tests/support/fixtures'
import {
  categoriesOf,
  context,
  fileOf,
  HEADER,
  lineOf,
  mapColumns,
  matchedRegister,
  readAndMatch,
  refusalOf,
  saleOfOrders,
  upload,
} from '#tests/support/registers'
import { one, rows } from '#tests/support/rows'
import { workbookOf } from '#tests/support/workbook_file'
import { zipOf } from '#tests/support/zip_file'
import { test } from '@japa/runner'
import { rm } from 'node:fs/promises'

const sheetRow = (line: number, cells: string[]) =>
  `<row r="${line}">${cells.map((text, i) => (text === '' ? '' : textCell(`${'ABCDEF'[i]}${line}`, text))).join('')}</row>`

const textCell = (at: string, text: string) =>
  `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`

/** Letters as Windows kept them before Unicode. */
const cp1251 = (text: string) =>
  Buffer.from(
    [...text].map((letter) => {
      const code = letter.charCodeAt(0)
      if (code < 128) return code
      if (letter === '№') return 0xb9
      return code - 0x4_10 + 0xc0
    })
  )

test.group('Reading register files', () => {
  const hostile: [string, string | Buffer, string][] = [
    ['an empty file', '', 'empty'],
    ['blank lines alone', '\n\n\n', 'empty'],
    ['a PDF called .csv', '%PDF-1.7\nstream', 'not_a_table'],
    ['a page called .xls', '<html><table><tr><td>1</td></tr></table></html>', 'not_a_table'],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1' + '00'.repeat(600), 'hex'), 'old_workbook'],
    ['letters that are none', Buffer.from([0x31, 0, 0x32, 0x3b]), 'binary'],
    [
      'a workbook with macros',
      workbookOf({ more: [{ name: 'xl/vbaProject.bin', content: 'x' }] }),
      'macros',
    ],
    [
      'a formula without a result',
      workbookOf({ rows: '<row r="1"><c r="A1"><f>1+1</f></c></row>' }),
      'formula_without_result',
    ],
    ['a bomb', zipOf([{ name: 'xl/a.xml', content: Buffer.alloc(40 * 1024 * 1024) }]), 'zip_bomb'],
  ]

  test('a 1C export is read: titles above a header on line 6, merged cells, totals below', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const lines = await Promise.all(orders.map((id) => lineOf(id)))
    const grid = [
      ['Реестр продаж за период', '', ''],
      ['Агент: ТОО «Продажи»'],
      [''],
      ['Договор № 17'],
      [''],
      HEADER.split(';'),
      ...lines.map((line) => line.split(';')),
      ['Итого', '', '', '24000'],
      ['Директор ______'],
    ]
    const sheet = grid.map((cells, i) => sheetRow(i + 1, cells)).join('')
    const merged = '<mergeCells count="1"><mergeCell ref="A1:E1"/></mergeCells>'
    const xml = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${sheet}</sheetData>${merged}</worksheet>`
    const registerId = await matchedRegister(partner, workbookOf({ sheet: xml }), {
      fileName: 'а.xlsx',
    })
    assert.deepEqual(await categoriesOf(registerId), ['MATCHED', 'MATCHED'])
    const { control, preview, sheet: name, sheets } = await findRegister(registerId)
    assert.equal(preview.headerLine, 6)
    assert.deepEqual([name, sheets], ['Реестр', ['Реестр']])
    assert.deepInclude(control!, { rowsIn: 2, sum: 'AGREES' })
  })

  test('Windows-1251 with decimal commas, digit groups and tenge signs is read', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const line = await lineOf(orders[0], { tenge: '12 000,00 тг' })
    const registerId = await matchedRegister(partner, cp1251(fileOf(line)))
    assert.deepEqual(await categoriesOf(registerId), ['MATCHED'])
    const { encoding: itsEncoding } = await findRegister(registerId)
    assert.equal(itsEncoding, 'windows-1251')
  })

  test('a payment time is read in five formats', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(5)
    const at = new Date('2026-09-30T09:05:00Z')
    const forms = [
      '30.09.2026 14:05',
      '2026-09-30T14:05:00+05:00',
      '2026-09-30 14:05:00',
      '46295,586805556',
      '1790759100',
    ]
    const lines = await Promise.all(orders.map((id, i) => lineOf(id, { at: forms[i] })))
    const registerId = await matchedRegister(partner, fileOf(...lines))
    const read = await rows(
      'SELECT at FROM partner_register_rows WHERE register_id = ? ORDER BY line',
      registerId
    )
    const off = read.map((row) => Math.abs((row.at as Date).getTime() - at.getTime()))
    assert.isTrue(
      off.every((ms) => ms < 1_000),
      JSON.stringify(read)
    )
  })

  test('a long title is cut without leaving half of a surrogate pair', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(1)
    const long = `${'я'.repeat(299)}\u{1F600}`
    const line = await lineOf(orders[0])
    const { registerId } = await upload(partner, `${long}\r\n${fileOf(`${line}${long}`)}`)
    const { preview } = await findRegister(registerId)
    assert.deepEqual(preview.titles, [`${'я'.repeat(299)}\u{FFFD}`])
  })

  test('numbers of fifteen digits are not read as amounts', async ({ assert }) => {
    const { partner } = await saleOfOrders(1)
    const lines = Array.from(
      { length: 9_300 },
      (_, i) => `o-1;p-${i};;${999_999_999_900_000 + i};Оплата`
    )
    const mapping = { partnerOrderId: 0, paymentId: 1, paidAt: 2, amount: 3, kind: 4 }
    const registerId = await matchedRegister(partner, fileOf(...lines), { mapping })
    const { control } = await findRegister(registerId)
    assert.equal(control!.unparseable, 9_300)
  }).timeout(120_000)

  for (const [name, content, problem] of hostile) {
    test(`${name} is refused`, async ({ assert }) => {
      const { partner } = await aSale()
      const refused = await refusalOf(upload(partner, content, { fileName: '=cmd|calc.xlsx' }))
      assert.deepInclude(refused, { refusalCode: 'REGISTER_UNREADABLE', problem })
      const { n } = await one(
        'SELECT count(*)::int AS n FROM partner_registers WHERE partner_id = ?',
        partner.id
      )
      assert.equal(n, 0)
    })
  }

  test('an error deep in the file is reported with its line and column, and no row is kept', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const many = Array.from({ length: 5_000 }, () => ['o-x', 'p-x', '01.10.2026', '1', 'Оплата'])
    const line = await lineOf(orders[0])
    const good = [HEADER.split(';'), line.split(';'), ...many]
    const sheet = good.map((cells, i) => sheetRow(i + 1, cells)).join('')
    const bad = `${sheet}<row r="6000"><c r="B6000"><f>1+1</f></c></row>`
    const { registerId } = await upload(partner, workbookOf({ rows: bad }))
    await mapColumns(registerId)
    await readAndMatch(registerId).catch(() => {})
    const { problem, state, control } = await findRegister(registerId)
    assert.deepInclude(problem!, { problem: 'formula_without_result', line: 6_000, column: 2 })
    assert.deepEqual([state, control], ['mapped', null])
  })

  test('a file name loses its path and control characters; unusual characters in a cell are read', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const line = await lineOf(orders[0])
    const { registerId } = await upload(partner, fileOf(line), {
      fileName: '../../etc/=cmd|\u0000calc\u202E.csv',
    })
    const { fileName: itsFileName } = await findRegister(registerId)
    assert.equal(itsFileName, '=cmd|calc.csv')
    const odd = workbookOf({
      rows: [
        [...HEADER.split(';'), 'Email'],
        [...line.split(';'), '_x0000_\u{1F600}a@b.kz'],
      ]
        .map((cells, i) => sheetRow(i + 1, cells))
        .join(''),
    })
    const other = await matchedRegister(partner, odd)
    assert.deepEqual(await categoriesOf(other), ['MATCHED'])
  })

  test('a register whose file is lost asks for a new upload', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(1)
    const registerId = await upload(partner, fileOf(await lineOf(orders[0]))).then(
      (uploaded) => uploaded.registerId
    )
    await mapColumns(registerId)
    const { version, ...register } = await findRegister(registerId)
    await rm(await registerPath(register))
    await readRegister({ registerId }, context())
    const { state, problem } = await findRegister(registerId)
    assert.equal(state, 'mapped')
    assert.deepEqual(problem, { problem: 'gone', line: null, column: null })
    const reading = new ChooseRegisterSheet().handle({
      registerId,
      version: version + 1,
      headerLine: 1,
    })
    assert.containSubset(await refusalOf(reading), {
      refusalCode: 'REGISTER_UNREADABLE',
      problem: 'gone',
    })
  })
})
