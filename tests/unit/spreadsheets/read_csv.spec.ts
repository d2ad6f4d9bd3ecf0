import { readTable, type RawCell } from '#spreadsheets/read_table'
import { findDelimiter } from '#shared/csv_delimiter'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { test } from '@japa/runner'

const CP1251 = Buffer.from([0xc7, 0xe0, 0xea, 0xe0, 0xe7, 0x3b, 0x35, 0x0d, 0x0a])

test.group('Reading separated values', (group) => {
  const scratch = scratchDirectory(group)

  async function read(content: string | Buffer) {
    const found: [line: number, ...RawCell[]][] = []
    const { rows } = await readTable(await scratch.write('a.txt', content))
    for await (const { line, cells } of rows) found.push([line, ...cells])
    return found
  }

  // prettier-ignore
  const cases: [what: string, content: string | Buffer, rows: unknown[][]][] = [
    ['semicolons with decimal commas', 'сумма;доля\n1,5;2,5\n3,5;4,5\n', [[1, 'сумма', 'доля'], [2, '1,5', '2,5'], [3, '3,5', '4,5']]],
    ['commas', 'a,b\n1,"2;3"\n', [[1, 'a', 'b'], [2, '1', '2;3']]],
    ['tabs', 'a\tb\n1\t2\n', [[1, 'a', 'b'], [2, '1', '2']]],
    ['bars', 'a|b\n1|2\n', [[1, 'a', 'b'], [2, '1', '2']]],
    ['one column', 'a\nb\n', [[1, 'a'], [2, 'b']]],
    ['title lines above the table', 'Реестр платежей\n\nдата;сумма;номер\n1;2;3\n', [[1, 'Реестр платежей'], [3, 'дата', 'сумма', 'номер'], [4, '1', '2', '3']]],
    ['quotes, CRLF and cells of several lines', 'a;"x ""y"""\r\n"1\r\n2";b\r\n\r\nc;d\r\n', [[1, 'a', 'x "y"'], [2, '1\n2', 'b'], [5, 'c', 'd']]],
    ['a quote within a word', 'a;ТОО "Билет"\n', [[1, 'a', 'ТОО "Билет"']]],
    ['a hint for Excel', 'sep=,\r\na,b;c\r\n1,2;3\r\n', [[2, 'a', 'b;c'], [3, '1', '2;3']]],
    ['empty cells', ';;a;;\n;;;\n', [[1, null, null, 'a']]],
    ['no line end', 'a;b\n1;2', [[1, 'a', 'b'], [2, '1', '2']]],
    ['old line ends', 'a;b\r1;2\r', [[1, 'a', 'b'], [2, '1', '2']]],
    ['UTF-8 with a mark', '\uFEFFсумма;1\n', [[1, 'сумма', '1']]],
    ['UTF-16', Buffer.from('\uFEFFсумма;1\n', 'utf16le'), [[1, 'сумма', '1']]],
    ['UTF-16, the other way round', Buffer.from('\uFEFFсумма;1\n', 'utf16le').swap16(), [[1, 'сумма', '1']]],
    ['windows-1251', CP1251, [[1, 'Заказ', '5']]],
    ['a formula is text', "=cmd|'/c calc'!A0;1\n", [[1, "=cmd|'/c calc'!A0", '1']]],
  ]
  for (const [what, content, rows] of cases) {
    test(what, async ({ assert }) => {
      assert.deepEqual(await read(content), rows)
    })
  }

  test('one invalid byte at the end of a large file decides for the legacy encoding', async ({
    assert,
  }) => {
    const rows = await read(Buffer.concat([Buffer.from('a;b\n'.repeat(40_000)), CP1251]))

    assert.lengthOf(rows, 40_001)
    assert.deepEqual(rows.at(-1), [40_001, 'Заказ', '5'])
  })

  test('leaving the loop closes the file', async ({ assert }) => {
    const { rows } = await readTable(await scratch.write('a.csv', 'a;b\n'.repeat(100_000)))
    for await (const { line } of rows) if (line === 10) break

    for await (const row of rows) assert.fail(`the reader went on to ${row.line}`)
  })

  test('the delimiter is the sign that most lines contain equally often', ({ assert }) => {
    const text = 'id;name;price\n1;Ann;12,5\n2;Bob;7\n'
    assert.deepEqual(findDelimiter(text), { delimiter: ';', skip: 0 })
    // A comma may be a decimal one, so it loses a tie.
    assert.equal(findDelimiter('a;1,5\nb;2,5\n').delimiter, ';')
  })
})
