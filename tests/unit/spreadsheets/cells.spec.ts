import { readdir } from 'node:fs/promises'
import { columnLetters, formula } from '#spreadsheets/cells'
import { readTable } from '#spreadsheets/read_table'
import { createWorkbook, type Cell, type CellKind, type SheetSpec } from '#spreadsheets/workbook'
import { momentNumber, wholeNumber } from '#spreadsheets/writing/cell_numbers'
import { safeText } from '#spreadsheets/writing/cell_text'
import { partsOf } from '#tests/support/parts_of'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { test } from '@japa/runner'

const PROPERTIES = { title: 'a', creator: 'b' }
const sheetOf = (kind: CellKind, more: Partial<SheetSpec> = {}): SheetSpec => ({
  name: 'Лист',
  columns: [{ key: 'value', heading: 'Значение', width: 20, kind }],
  ...more,
})

test.group('Cells', (group) => {
  const scratch = scratchDirectory(group)
  const path = () => scratch.at('book.xlsx')

  async function write(spec: SheetSpec, cells: Cell[]) {
    const book = createWorkbook(path(), PROPERTIES)
    const sheet = await book.sheet(spec)
    for (const cell of cells) await sheet.row([cell])
    await sheet.close()
    await book.finish()
  }

  test('a whole number has at most fifteen digits, also below zero', ({ assert }) => {
    for (const sign of [1n, -1n]) {
      const most = sign * 999_999_999_999_999n
      assert.equal(wholeNumber(most), String(most))
      assert.throws(() => wholeNumber(most + sign), /more than 15 digits/)
    }
  })

  async function readBack(kind: CellKind, cell: Cell) {
    await write(sheetOf(kind), [cell])
    const { rows } = await readTable(path())
    for await (const { line, cells } of rows) if (line === 2) return cells[0]
    return null
  }

  // prettier-ignore
  const texts: [sent: string, read: string][] = [
    ['ТОО «Билет» & <Ко>', 'ТОО «Билет» & <Ко>'],
    ["=cmd|'/c calc'!A0", "'=cmd|'/c calc'!A0"],
    ['+7 701 000 00 00', "'+7 701 000 00 00"],
    ['-5', "'-5"], ['@SUM(A1)', "'@SUM(A1)"], ['\t=1', "'\t=1"], ['\r=1', "'\n=1"], ['\n=1', "'\n=1"], ['\0=1', "'=1"],
    // What is left out must not hide it.
    ['\u{1}=1', "'=1"], ['\u{fffe}@a', "'@a"], ['\ud800-5', "'-5"],
    ['＝1', "'＝1"], ['＋1', "'＋1"], ['－1', "'－1"], ['＠1', "'＠1"],
    ['order-1:2_3.4', 'order-1:2_3.4'],
    ['0001', '0001'],
    ['1E+17', '1E+17'],
    ['  two  spaces ', '  two  spaces '],
    ['one\r\ntwo\rthree\tfour', 'one\ntwo\nthree\tfour'],
    ['_x0041_', '_x0041_'],
    ['a\u0007b\u009fc\u007fd\uffffe', 'abcde'],
    ['half \ud83d letter', 'half  letter'],
    ['whole 😀 letter', 'whole 😀 letter'],
  ]
  for (const [sent, read] of texts) {
    test(`text ${JSON.stringify(sent)} is read as ${JSON.stringify(read)}`, async ({ assert }) => {
      assert.equal(await readBack('text', sent), read)
    })
  }

  test('long text is cut and marked as cut', async ({ assert }) => {
    const read = String(await readBack('text', `${'я'.repeat(32_765)}😀😀`))

    assert.lengthOf(read, 32_766)
    assert.isTrue(read.isWellFormed())
    assert.isTrue(read.endsWith('я…'))
  })

  // prettier-ignore
  const values: [kind: CellKind, sent: Cell, read: unknown][] = [
    ['tenge', 999_999_999_999_999n, 999_999_999_999_999],
    ['tenge', 0n, 0],
    ['count', -3, -3],
    ['moment', new Date('2026-12-31T19:00:00Z'), new Date('2027-01-01T00:00:00Z')],
    ['moment', new Date('2026-12-31T18:59:59.999Z'), new Date('2026-12-31T23:59:59Z')],
    ['date', '2026-02-28', new Date('2026-02-28T00:00:00Z')],
    ['percent', 0.165, 0.165],
    ['flag', false, 0],
    ['text', null, null],
    ['text', undefined, null],
    ['id', '', null],
    ['formula', formula('1+1', 2), 2],
    ['moment', formula('NOW()', new Date('2026-01-01T00:00:00Z')), new Date('2026-01-01T05:00:00Z')],
    ['formula', formula('TRUE', true), true],
    ['formula', formula('"a"', 'a & b'), 'a & b'],
  ]
  for (const [kind, sent, read] of values) {
    test(`${kind} ${inspected(sent)} is read back as ${inspected(read)}`, async ({ assert }) => {
      assert.deepEqual(await readBack(kind, sent), read)
    })
  }

  // prettier-ignore
  const refused: [kind: CellKind, cell: unknown, why: RegExp][] = [
    ['tenge', 1_000_000_000_000_000n, /15 digits/], ['tenge', 1.5, /whole/], ['tenge', Number.NaN, /whole/], ['tenge', '5', /whole/],
    ['count', Number.POSITIVE_INFINITY, /whole/],
    ['percent', Number.NaN, /finite/], ['percent', 1n, /finite/],
    ['moment', new Date('never'), /instant/], ['moment', '2026-01-01', /instant/], ['moment', new Date(-1e14), /1900/],
    ['date', '2026-02-30', /not a day/],
    ['flag', 1, /true or false/],
    ['text', 5, /not text/], ['text', {}, /object/], ['text', ['a'], /object/],
    ['formula', '=1+1', /not a formula/], ['formula', { formula: '=1', result: 1 }, /without "="/],
    ['formula', { formula: '1', result: undefined }, /result/], ['formula', { formula: '1', result: Number.NaN }, /finite/],
    ['formula', { formula: '"\u0007"', result: 'a' }, /printed/],
  ]
  for (const [kind, cell, why] of refused) {
    test(`${kind} refuses ${inspected(cell)}`, async ({ assert }) => {
      const writing = write(sheetOf(kind), [null, cell as Cell])

      await assert.rejects(() => writing, why)
      await assert.rejects(() => writing, /«Лист», column «Значение» \(value\), row 3/)
      assert.isEmpty(await readdir(scratch.path))
    })
  }

  test('one style serves a whole column', async ({ assert }) => {
    const rows = Array.from({ length: 300 }, (_, at) => BigInt(at))
    await write(sheetOf('tenge'), rows)

    const parts = await partsOf(path())
    const styles = parts.get('xl/styles.xml') ?? ''
    assert.equal(styles.match(/<xf /g)?.length, 4, 'usual, heading and column')
    assert.include(styles, 'numFmtId="3"', '#,##0 is built in')
  })

  // prettier-ignore
  const sheets: [what: string, spec: Partial<SheetSpec>][] = [
    ['a name of 32 letters', { name: 'а'.repeat(32) }],
    ['a name with a slash', { name: 'a/b' }],
    ['an empty name', { name: '' }],
    ['a name with half a letter', { name: 'a\ud83d' }],
    ['no columns', { columns: [] }],
    ['two columns of one key', { columns: [...sheetOf('id').columns, ...sheetOf('id').columns] }],
    ['a choice with a comma', { columns: [{ ...sheetOf('text').columns[0], choices: ['a,b'] }] }],
    ['a name that is a place', { columns: [{ ...sheetOf('text').columns[0], definedName: 'AB12' }] }],
    ['a footer that is too long', { footer: { left: 'a'.repeat(254) } }],
  ]
  for (const [what, spec] of sheets) {
    test(`${what} is refused`, async ({ assert }) => {
      await assert.rejects(() => write(sheetOf('text', spec), []))
      assert.isEmpty(await readdir(scratch.path))
    })
  }

  test('a sheet accepts no more rows than its limit', async ({ assert }) => {
    const spec = sheetOf('count', { maxRows: 2 })
    await write(spec, [1, 2])

    await assert.rejects(() => write(spec, [1, 2, 3]), /has its 2 rows/)
  })

  test('an instant is cut to the second', ({ assert }) => {
    assert.equal(momentNumber(new Date('2026-11-05T07:00:00.900Z')), '46331.5')
  })

  test('text that looks like a formula is guarded by an apostrophe', ({ assert }) => {
    assert.deepEqual(['=1+1', '-5', 'A-5'].map(safeText), ["'=1+1", "'-5", 'A-5'])
  })
})

function inspected(value: unknown) {
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString()
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'undefined')
}

test.group('Letters of columns', () => {
  test('go on with two and three letters after Z and ZZ', ({ assert }) => {
    const numbers = [1, 26, 27, 52, 53, 702, 703]
    assert.deepEqual(
      numbers.map((number) => columnLetters(number)),
      ['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']
    )
  })
})
