import { cellAs, formula, linkTo } from '#spreadsheets/cells'
import { readTable, type RawCell } from '#spreadsheets/read_table'
import { createWorkbook, type ColumnSpec, type SheetSpec } from '#spreadsheets/workbook'
import { linesOf } from '#spreadsheets/writing/lines'
import { childrenOf, partsOf } from '#tests/support/parts_of'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { SHEET_ORDER } from '#tests/support/sheet_order'
import { test } from '@japa/runner'

const PROPERTIES = { title: 'Ведомость', subject: '000123', creator: 'Платформа', keywords: 'a b' }

const COLUMNS: ColumnSpec[] = [
  { key: 'number', heading: '№', width: 6, kind: 'count' },
  { key: 'code', heading: 'Критичность', width: 12, kind: 'text', fills: { HIGH: 'FFC7CE' } },
  { key: 'order', heading: 'Номер заказа', width: 20, kind: 'id' },
  {
    key: 'sum',
    heading: 'Сумма, ₸',
    width: 14,
    kind: 'tenge',
    redNegative: true,
    definedName: 'сумма_движений',
  },
  { key: 'at', heading: 'Момент (UTC+5)', width: 20, kind: 'moment' },
  { key: 'day', heading: 'День', width: 12, kind: 'date' },
  { key: 'share', heading: 'Ставка', width: 9, kind: 'percent' },
  { key: 'late', heading: 'Поздняя', width: 9, kind: 'flag', format: '"да";;"нет"' },
  { key: 'link', heading: 'Кейс', width: 10, kind: 'formula' },
  {
    key: 'answer',
    heading: 'Ответ партнёра',
    width: 18,
    kind: 'text',
    isUnlocked: true,
    choices: ['принято', 'оспорено', 'деньги возвращены'],
  },
]
const ROW = {
  number: 1,
  code: 'HIGH',
  order: '00012345678901234567',
  sum: -1_234_567n,
  at: new Date('2026-09-30T18:59:59.999Z'),
  day: new Date('2026-09-30T19:00:00Z'),
  share: 0.12,
  late: true,
  link: linkTo('Сводка', 'A1', 'К-1'),
  answer: null,
}
const DETAILS: SheetSpec = {
  name: 'Дефекты',
  columns: COLUMNS,
  isProtected: true,
  paneColumns: 1,
  tabColor: 'C00000',
  footer: { left: '№ 123 & Co', centre: 'стр. {page} из {pages}', right: '4f2a' },
}
const SUMMARY: SheetSpec = {
  name: 'Сводка',
  hasHeader: false,
  columns: [
    { key: 'what', heading: '', width: 30, kind: 'text' },
    { key: 'sum', heading: '', width: 16, kind: 'tenge' },
  ],
}

test.group('Writing a workbook', (group) => {
  const scratch = scratchDirectory(group)
  const path = () => scratch.at('book.xlsx')

  async function writeBook() {
    const book = createWorkbook(path(), PROPERTIES)
    const details = await book.sheet(DETAILS)
    await details.row(ROW)
    await details.row([2, 'LOW', 'A-1', 500n])
    await details.close()
    const summary = await book.sheet(SUMMARY)
    await summary.row([cellAs('text', 'Ведомость', 'title')])
    await summary.row(['Итого', formula('SUM(сумма_движений)', -1_234_067n)])
    await summary.row(['На момент', cellAs('moment', ROW.at)])
    summary.merge('A1:B1')
    await summary.close()
    return book.finish()
  }

  async function rowsOf(sheet: string) {
    const found: RawCell[][] = []
    const { rows } = await readTable(path(), {}, { sheet })
    for await (const { cells } of rows) found.push(cells)
    return found
  }

  test('another reader reads what was written', async ({ assert }) => {
    await writeBook()

    const [headings, first, second] = await rowsOf('Дефекты')
    assert.deepEqual(
      headings,
      COLUMNS.map(({ heading }) => heading)
    )
    const [at, day] = [new Date('2026-09-30T23:59:59Z'), new Date('2026-10-01T00:00:00Z')]
    const text = ['HIGH', '00012345678901234567']
    assert.deepEqual(first, [1, ...text, -1_234_567, at, day, 0.12, 1, 'К-1'])
    assert.deepEqual(second, [2, 'LOW', 'A-1', 500])
    assert.deepEqual(await rowsOf('Сводка'), [
      ['Ведомость'],
      ['Итого', -1_234_067],
      ['На момент', at],
    ])
  })

  test('every part of a sheet is where the standard requires it', async ({ assert }) => {
    await writeBook()

    const parts = await partsOf(path())
    for (const name of ['xl/worksheets/sheet1.xml', 'xl/worksheets/sheet2.xml']) {
      const children = childrenOf(parts.get(name) ?? '')
      const places = children.map((child) => SHEET_ORDER.indexOf(child))
      assert.notInclude(places, -1)
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b)
      )
    }
    const features = ['sheetProtection', 'autoFilter', 'conditionalFormatting', 'dataValidations']
    assert.includeMembers(childrenOf(parts.get('xl/worksheets/sheet1.xml') ?? ''), features)
  })

  test('headings, filter, protection, drop-downs and print settings are written', async ({
    assert,
  }) => {
    await writeBook()

    const parts = await partsOf(path())
    const xml = parts.get('xl/worksheets/sheet1.xml') ?? ''
    assert.include(xml, 'xSplit="1" ySplit="1"')
    assert.include(xml, '<autoFilter ref="A1:J3"/>')
    assert.include(xml, '<sheetProtection sheet="1"')
    assert.match(xml, /<c r="J2" s="\d+"\/>/, 'an open cell exists though it is empty')
    assert.include(xml, 'sqref="J2:J3"><formula1>&quot;принято,оспорено,деньги возвращены')
    assert.match(xml, /<conditionalFormatting sqref="B2:B3"><cfRule type="cellIs" dxfId="0"/)
    assert.match(xml, /<pageSetup paperSize="9" orientation="landscape".* fitToHeight="0"/)
    assert.include(xml, '&amp;L№ 123 &amp;&amp; Co&amp;Cстр. &amp;P из &amp;N&amp;R 4f2a')
    assert.include(xml, '<pageSetUpPr fitToPage="1"/>')
  })

  test('defined names, repeated headings and properties are written', async ({ assert }) => {
    await writeBook()

    const parts = await partsOf(path())
    const book = parts.get('xl/workbook.xml') ?? ''
    assert.include(book, '<definedName name="сумма_движений">&apos;Дефекты&apos;!$D$2:$D$3<')
    assert.include(book, 'name="_xlnm.Print_Titles" localSheetId="0">&apos;Дефекты&apos;!$1:$1<')
    const core = parts.get('docProps/core.xml') ?? ''
    for (const text of ['Ведомость', '000123', 'a b', 'lastModifiedBy>Платформа']) {
      assert.include(core, text)
    }
    assert.notInclude(core, 'ExcelJS')
  })

  test('links point within the workbook', async ({ assert }) => {
    await writeBook()

    const parts = await partsOf(path())
    const xml = parts.get('xl/worksheets/sheet1.xml')
    assert.include(xml, "<f>HYPERLINK(&quot;#'Сводка'!A1&quot;,&quot;К-1&quot;)</f><v>К-1</v>")
    assert.isFalse([...parts.keys()].some((name) => name.includes('worksheets/_rels')))
  })

  test('wrapped text makes its row higher', async ({ assert }) => {
    const book = createWorkbook(path(), PROPERTIES)
    const column = {
      key: 'note',
      heading: 'Примечание',
      width: 20,
      kind: 'text' as const,
      wrap: true,
    }
    const sheet = await book.sheet({ name: 'Лист', columns: [column] })
    await sheet.row(['коротко'])
    await sheet.row(['одна строка\nи ещё одна, которой тесно'])
    await sheet.row(['CODE_ONE CODE_TWO_LONG CODE_3'])
    await sheet.close()
    await book.finish()

    const parts = await partsOf(path())
    const xml = parts.get('xl/worksheets/sheet1.xml') ?? ''
    assert.include(xml, '<row r="2">')
    assert.include(xml, '<row r="3" ht="45">')
    // Words are not broken: by its letters it would fit into two lines.
    assert.include(xml, '<row r="4" ht="45">')
  })

  test('a heading within a page makes its row higher', async ({ assert }) => {
    const book = createWorkbook(path(), PROPERTIES)
    const column = { key: 'c0', heading: '', width: 18, kind: 'text' as const }
    const sheet = await book.sheet({ name: 'Лист', columns: [column], hasHeader: false })
    await sheet.row([{ as: 'text', value: 'Сатып алушыларға, ₸', look: 'figureHeading' }])
    await sheet.row([{ as: 'text', value: 'Сатып алушыларға, ₸' }])
    await sheet.close()
    await book.finish()
    const parts = await partsOf(path())
    const xml = parts.get('xl/worksheets/sheet1.xml') ?? ''
    assert.include(xml, '<row r="1" ht="45">')
    assert.include(xml, '<row r="2">')
  })

  test('its size and hash are returned', async ({ assert }) => {
    const { createHash } = await import('node:crypto')
    const { readFile } = await import('node:fs/promises')
    const written = await writeBook()

    const content = await readFile(path())
    const sha256 = createHash('sha256').update(content).digest('hex')
    assert.deepEqual(written, { bytes: content.length, sha256 })
  })

  test('nobody else on the machine may read it', async ({ assert }) => {
    const { stat } = await import('node:fs/promises')
    await writeBook()
    const { mode } = await stat(path())
    assert.equal(mode & 0o777, 0o600)
  })

  test('a sheet without rows is complete', async ({ assert }) => {
    const book = createWorkbook(path(), PROPERTIES)
    const sheet = await book.sheet(DETAILS)
    await sheet.close()
    await book.finish()

    assert.lengthOf(await rowsOf('Дефекты'), 1)
    const parts = await partsOf(path())
    const xml = parts.get('xl/worksheets/sheet1.xml')
    assert.include(xml, '<autoFilter ref="A1:J2"/>')
    assert.include(xml, 'sqref="J2:J2"')
  })

  test('progress is reported while rows are written', async ({ assert }) => {
    const progress: number[] = []
    const onProgress = ({ rows }: { rows: number }) => void progress.push(rows)
    const book = createWorkbook(path(), PROPERTIES, { onProgress })
    const sheet = await book.sheet(SUMMARY)
    for (let row = 0; row < 5_001; row++) await sheet.row(['a', 1n])
    await sheet.close()
    await book.finish()

    assert.includeMembers(progress, [2_000, 4_000])
    assert.equal(progress.at(-1), 5_001)
  })

  test('words wrap greedily at the width of their column', ({ assert }) => {
    const column = { key: 'until', heading: '', width: 14, kind: 'text', wrap: true } as const
    assert.equal(linesOf('Payment window until', column), 3)
    assert.equal(linesOf('Payment', column), 1)
  })
})
