import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import {
  canonicalFields,
  canonicalLine,
  DataHash,
  fieldsOf,
  type CanonicalValue,
} from '#spreadsheets/canonical'
import { CsvCopy, type CsvColumn } from '#spreadsheets/csv_copy'
import { JsonlCopy } from '#spreadsheets/jsonl_copy'
import { readTable, type RawCell } from '#spreadsheets/read_table'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { test } from '@japa/runner'
import fastCheck from 'fast-check'

const COLUMNS: CsvColumn[] = [
  { key: 'id', heading: 'Номер', kind: 'id' },
  { key: 'text', heading: 'Название; место', kind: 'text' },
  { key: 'sum', heading: 'Сумма', kind: 'tenge' },
  { key: 'at', heading: 'Момент', kind: 'moment' },
  { key: 'day', heading: 'День', kind: 'date' },
  { key: 'share', heading: 'Ставка', kind: 'percent' },
  { key: 'late', heading: 'Поздняя', kind: 'flag' },
]
const AT = new Date('2026-09-30T18:59:59.999Z')
const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

test.group('CSV and JSONL copies of a sheet', (group) => {
  const scratch = scratchDirectory(group)
  const path = () => scratch.at('copy')

  test('the CSV copy is readable by Excel', async ({ assert }) => {
    const copy = new CsvCopy(path(), COLUMNS)
    await copy.row(['0017', 'Театр "Юность"', -1_500n, AT, AT, 0.125, true])
    await copy.row([null, "=cmd|'/c calc'!A0", 0n, null, '2026-10-01', undefined, false])
    const written = await copy.finish()

    const content = await readFile(path())
    assert.equal(
      content.toString(),
      '\uFEFFid;text;sum;at;day;share;late\r\n' +
        'Номер;"Название; место";Сумма;Момент;День;Ставка;Поздняя\r\n' +
        '"0017";"Театр ""Юность""";-1500;2026-09-30T23:59:59+05:00;2026-09-30;0,125;1\r\n' +
        ";'=cmd|'/c calc'!A0;0;;2026-10-01;;0\r\n"
    )
    const file = { bytes: content.length, sha256: sha256(content), rows: 2 }
    assert.deepEqual(written, file)
  })

  test('an id that a spreadsheet could take for a formula is guarded in the CSV copy', async ({
    assert,
  }) => {
    const copy = new CsvCopy(path(), COLUMNS.slice(0, 1))
    const ids = ['=1+1', '-5', '+7', '@sum', '\tA', '＝1', 'A-5', 'a=b']
    for (const id of ids) await copy.row([id])
    await copy.finish()
    const content = await readFile(path(), 'utf8')
    const [, , ...lines] = content.trimEnd().split('\r\n')
    const guarded = [`"'=1+1"`, `"'-5"`, `"'+7"`, `"'@sum"`, `"'\tA"`, `"'＝1"`, '"A-5"', '"a=b"']
    assert.deepEqual(lines, guarded)
  })

  test('a text of several lines is one cell of the CSV copy', async ({ assert }) => {
    const copy = new CsvCopy(path(), COLUMNS.slice(0, 2))
    await copy.row(['1', 'one\ntwo\r\nthree'])
    await copy.finish()
    const content = await readFile(path(), 'utf8')
    assert.isTrue(content.endsWith('\r\n"1";"one\ntwo\nthree"\r\n'))
  })

  test('any text reads back from CSV, except for the formula guard', async ({ assert }) => {
    const texts = fastCheck.sample(fastCheck.string({ unit: 'grapheme', minLength: 1 }), 500)
    const sent = texts.map((text, row) => [`${row}`, `x${text}y`])
    const copy = new CsvCopy(path(), COLUMNS.slice(0, 2))
    for (const cells of sent) await copy.row(cells)
    await copy.finish()

    const found: RawCell[][] = []
    const { rows } = await readTable(path())
    for await (const { cells } of rows) found.push(cells)
    for (const [row, cells] of sent.entries()) assert.deepEqual(found[row + 2], cells)
  })

  test('the JSONL copy has typed values', async ({ assert }) => {
    const copy = new JsonlCopy(path())
    for (let row = 0; row < 3_000; row++) await copy.row({ sum: BigInt(row), at: AT, id: 'я' })
    const written = await copy.finish()

    const packed = await readFile(path())
    const lines = gunzipSync(packed).toString()
    assert.equal(lines.split('\n').length, 3_001)
    assert.isTrue(lines.startsWith('{"at":"2026-09-30T18:59:59.999Z","id":"я","sum":"0"}\n'))
    const file = { bytes: packed.length, sha256: sha256(packed), rows: 3_000 }
    assert.deepEqual(written, { ...file, linesSha256: sha256(lines) })
  })
})

test.group('Hash of rows', () => {
  // prettier-ignore
  const cases: [row: CanonicalValue, line: string][] = [
    [{ b: 1, a: 'x' }, '{"a":"x","b":1}'],
    [{ z: { y: 2n, x: null }, a: [true, 'ы'] }, '{"a":[true,"ы"],"z":{"x":null,"y":"2"}}'],
    [{ at: AT, gone: undefined }, '{"at":"2026-09-30T18:59:59.999Z"}'],
    [{ a: 1.5, b: -0 }, '{"a":1.5,"b":0}'],
  ]
  for (const [row, line] of cases) {
    test(line, ({ assert }) => {
      assert.equal(canonicalLine(row), line)
    })
  }

  test('values that JSON would lose are refused', ({ assert }) => {
    assert.throws(() => canonicalLine({ a: Number.NaN }), /no place/)
    assert.throws(() => canonicalLine({ a: new Date('never') }), /Invalid time/)
  })

  test('the hash is that of the lines', ({ assert }) => {
    const hash = new DataHash()
    hash.add({ b: 1, a: 2 })
    const early = hash.sha256
    hash.add({ a: 3n })

    assert.equal(early, sha256('{"a":2,"b":1}\n'))
    assert.equal(hash.sha256, sha256('{"a":2,"b":1}\n{"a":"3"}\n'))
    assert.equal(hash.count, 2)
  })

  test('keys are sorted, money is text and instants are in UTC, whatever the order of the columns', ({
    assert,
  }) => {
    const row = {
      total: 12_000n,
      at: new Date('2026-11-05T10:00:00Z'),
      seats: ['A1'],
      note: undefined,
    }
    const line = '{"at":"2026-11-05T10:00:00.000Z","seats":["A1"],"total":"12000"}'
    assert.equal(canonicalLine(row), line)
    assert.equal(canonicalFields(fieldsOf(['total', 'seats', 'at']), row), line)
  })
})
