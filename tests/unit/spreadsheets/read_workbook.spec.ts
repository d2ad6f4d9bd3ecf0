import { dateOf } from '#spreadsheets/reading/cell_value'
import { showsDate } from '#spreadsheets/reading/date_styles'
import { readdir, readlink } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { listSheets, readTable, type RawCell, type TableLimits } from '#spreadsheets/read_table'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { sheetOf, workbookOf } from '#tests/support/workbook_file'
import { test } from '@japa/runner'

async function cellsOf(path: string, limits: Partial<TableLimits> = {}) {
  const found: [line: number, ...RawCell[]][] = []
  const { rows } = await readTable(path, limits)
  for await (const { line, cells } of rows) found.push([line, ...cells])
  return found
}

/** Whether this process holds the file. */
async function isOpen(path: string) {
  const numbers = await readdir('/proc/self/fd')
  const files = await Promise.all(
    numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => ''))
  )
  return files.includes(path)
}

test.group('Reading a workbook', (group) => {
  const scratch = scratchDirectory(group)
  const read = async (content: Parameters<typeof workbookOf>[0], limits?: Partial<TableLimits>) =>
    cellsOf(await scratch.write('a.xlsx', workbookOf(content)), limits)

  test('every kind of cell is read', async ({ assert }) => {
    const rows = await read({
      rows:
        '<row r="3"><c r="A3" t="s"><v>1</v></c><c r="C3"><v>1250.5</v></c><c r="D3" t="b"><v>1</v></c>' +
        '<c r="E3" t="e"><v>#N/A</v></c><c r="F3" t="inlineStr"><is><r><t>Ал</t></r><r><t>маты</t></r></is></c>' +
        '<c r="G3" t="str"><f>A1</f><v>text &amp; more</v></c><c r="H3" t="d"><v>2026-09-30T14:05:00</v></c></row>',
      sharedStrings: [
        '<si><t>none</t></si>',
        '<si><r><t xml:space="preserve">Заказ </t></r><r><t>№</t></r><rPh><t>x</t></rPh></si>',
      ],
    })

    const moment = new Date('2026-09-30T14:05:00Z')
    const expected = [3, 'Заказ №', null, 1250.5, true, '#N/A', 'Алматы', 'text & more', moment]
    assert.deepEqual(rows, [expected])
  })

  test('the format is detected by content, whatever the file name', async ({ assert }) => {
    const path = await scratch.write('a.csv', workbookOf({ rows: '<row><c><v>1</v></c></row>' }))
    const table = await readTable(path)

    assert.deepEqual([table.format, table.sheet], ['xlsx', 'Реестр'])
  })

  test('a hidden sheet is not the default, but can be requested', async ({ assert }) => {
    const content = { rows: '<row><c><v>1</v></c></row>', hidesFirst: true }
    const path = await scratch.write('a.xlsx', workbookOf(content))
    const first = await readTable(path)
    const asked = await readTable(path, {}, { sheet: 'Тайный' })

    assert.deepEqual([first.sheet, asked.sheet], ['Реестр', 'Тайный'])
    assert.deepEqual(await listSheets(path), ['Реестр'])
    await assert.rejects(() => readTable(path, {}, { sheet: 'Нет' }), /no_such_sheet/)
  })

  test('leaving the loop closes the file', async ({ assert }) => {
    const many = Array.from({ length: 150_000 }, (_, at) => `<row><c><v>${at}</v></c></row>`)
    const path = await scratch.write('a.xlsx', workbookOf({ rows: many.join('') }))
    const { rows } = await readTable(path)
    for await (const { line } of rows) {
      assert.isTrue(await isOpen(path))
      if (line === 10) break
    }

    while (await isOpen(path)) await wait(5)
  }).skip(process.platform !== 'linux', 'open files are listed by Linux only')

  test('cells and rows without positions follow each other', async ({ assert }) => {
    const rows = await read({
      rows: '<row><c t="inlineStr"><is><t>a</t></is></c><c/><c><v>2</v></c></row><row><c><v>3</v></c></row>',
    })

    assert.deepEqual(rows, [
      [1, 'a', null, 2],
      [2, 3],
    ])
  })

  test('merged title rows have their text once', async ({ assert }) => {
    const sheet = sheetOf(
      '<row r="1"><c r="A1" t="inlineStr"><is><t>Реестр</t></is></c><c r="B1"/><c r="C1"/></row><row r="2"/><row r="6"><c r="B6"><v>7</v></c></row>'
    ).replace('</sheetData>', '</sheetData><mergeCells><mergeCell ref="A1:C1"/></mergeCells>')

    assert.deepEqual(await read({ sheet }), [
      [1, 'Реестр'],
      [6, null, 7],
    ])
  })

  test('element names may have a prefix', async ({ assert }) => {
    const sheet =
      '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>5</x:v></x:c></x:row></x:sheetData></x:worksheet>'

    assert.deepEqual(await read({ sheet }), [[1, 5]])
  })

  test('a number is a date when its format shows one', async ({ assert }) => {
    const cell = (style: number) => `<c s="${style}"><v>46295.586805555555</v></c>`
    const formats = [
      'dd.mm.yyyy hh:mm:ss',
      '#,##0',
      '0.00 &quot;дней&quot;',
      '[Red]0.00',
      '[$-419]d mmm',
    ]
    const [row] = await read({ rows: `<row>${[0, 1, 2, 3, 4].map(cell).join('')}</row>`, formats })

    const [date, plain, sum] = [new Date('2026-09-30T14:05:00Z'), 46295.586805555555, row[3]]
    assert.deepEqual(row, [1, date, plain, sum, plain, date])
    assert.equal(sum, plain)
  })

  test('dates may be counted from 1904', async ({ assert }) => {
    const rows = await read({
      rows: '<row><c s="0"><v>0</v></c></row>',
      formats: ['yyyy'],
      workbookPr: '<workbookPr date1904="1"/>',
    })

    assert.deepEqual(rows, [[1, new Date('1904-01-01T00:00:00Z')]])
  })

  test('the non-existent 29 February 1900 does not shift earlier dates', async ({ assert }) => {
    const rows = await read({
      rows: '<row><c s="0"><v>1</v></c><c s="0"><v>61</v></c><c s="0"><v>-1</v></c></row>',
      formats: ['yyyy'],
    })

    const days = [new Date('1900-01-01T00:00:00Z'), new Date('1900-03-01T00:00:00Z')]
    assert.deepEqual(rows, [[1, ...days, -1]])
  })

  test('numbers in built-in formats of dates and times are dates, others stay numbers', async ({
    assert,
  }) => {
    const formats = [13, 14, 22, 23, 26, 27, 36, 37, 44, 45, 46, 47, 48, 49, 50, 58, 59]
    const cells = formats.map((_, style) => `<c s="${style}"><v>46331.5</v></c>`)
    const rows = `<row>${cells.join('')}</row>`
    const [[, ...values]] = await read({ rows, builtInFormats: formats })
    const dates = formats.filter((_, index) => values[index] instanceof Date)
    assert.deepEqual(dates, [14, 22, 27, 36, 45, 46, 47, 50, 58])
  })

  test('text that looks like a formula stays text', async ({ assert }) => {
    const rows = await read({
      rows: '<row><c t="inlineStr"><is><t>=cmd|\'/c calc\'!A0</t></is></c></row>',
    })

    assert.deepEqual(rows, [[1, "=cmd|'/c calc'!A0"]])
  })

  test('_xHHHH_ escapes are decoded, control characters stay escaped', async ({ assert }) => {
    const rows = await read({
      rows: '<row><c t="inlineStr"><is><t>_x0041_b_x005F_x0041__x0000__x000A_</t></is></c></row>',
    })

    assert.deepEqual(rows, [[1, 'Ab_x0041__x0000_\n']])
  })

  test('a formula has its stored result', async ({ assert }) => {
    const rows = await read({
      rows: '<row><c><f>SUM(A2:A9)</f><v>40</v></c><c t="str"><f>""</f><v></v></c><c><v>1</v></c></row>',
    })

    assert.deepEqual(rows, [[1, 40, null, 1]])
  })

  test('leaving the loop stops the parser', async ({ assert }) => {
    const many = Array.from({ length: 150_000 }, (_, at) => `<row><c><v>${at}</v></c></row>`)
    const sheet = sheetOf(many.join('')).replace('</worksheet>', '</not-closed>')
    const { rows } = await readTable(await scratch.write('a.xlsx', workbookOf({ sheet })))
    for await (const { cells } of rows) {
      if (cells[0] === 10) break
    }

    for await (const row of rows) assert.fail(`the reader went on to ${row.line}`)
  })
})

test.group('Number formats', () => {
  // prettier-ignore
  const cases: [code: string, isDate: boolean][] = [
    ['dd.mm.yyyy hh:mm:ss', true],
    ['[$-419]d mmm yyyy;@', true],
    ['[h]:mm', true],
    ['yyyy"г."', true],
    ['#,##0', false],
    ['#,##0 [$₸-43F]', false],
    ['0.00 "дней"', false],
    ['0" days"', false],
    ['[Red]-0.00', false],
    ['[>=1000000]0.0,,"M";0', false],
    ['0\\d', false],
    ['General', false],
    ['@', false],
    ['_-* #,##0.00_-;-* #,##0.00_-', false],
  ]
  for (const [code, isDate] of cases) {
    test(`${code} ${isDate ? 'shows' : 'does not show'} a date`, ({ assert }) => {
      assert.equal(showsDate(code), isDate)
    })
  }

  test('28 February 1900 is day 59, and 1 March day 61; the day between did not exist', ({
    assert,
  }) => {
    const days = [59, 60, 61].map((serial) => dateOf(serial, false)!.toISOString().slice(0, 10))
    assert.deepEqual(days, ['1900-02-28', '1900-02-28', '1900-03-01'])
  })

  test('a day number counts from 1900, or from 1904 in a workbook that says so', ({ assert }) => {
    const noon = new Date('2026-11-05T12:00:00Z')
    assert.deepEqual(dateOf(46_331.5, false), noon)
    assert.deepEqual(dateOf(44_869.5, true), noon)
  })
})
