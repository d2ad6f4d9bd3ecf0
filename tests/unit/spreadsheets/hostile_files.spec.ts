import { readTable, UnreadableTable, type TableLimits } from '#spreadsheets/read_table'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { sheetOf, workbookOf } from '#tests/support/workbook_file'
import { zipOf } from '#tests/support/zip_file'
import { test } from '@japa/runner'

const MB = 1024 * 1024
const ONE = '<row><c><v>1</v></c></row>'
const LONG_TEXT = `<si><t>${'x'.repeat(32_767)}</t></si>`
const SAME_TEXTS = `<row>${'<c t="s"><v>0</v></c>'.repeat(95)}</row>`
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex')

async function refusalOf(path: string, limits: Partial<TableLimits> = {}) {
  try {
    const { rows } = await readTable(path, limits)
    for await (const row of rows) void row
  } catch (error) {
    if (error instanceof UnreadableTable) return error
    throw error
  }
  return null
}

const workbook = (parts: Parameters<typeof workbookOf>[0]) => () => workbookOf(parts)
const withDoctype = (doctype: string) =>
  workbook({ sheet: `<!DOCTYPE worksheet ${doctype}>${sheetOf(ONE).replace(/^.*?\?>/, '')}` })

/** Valid XML that packs about 300:1. */
const spaces = (bytes: number) => sheetOf(ONE).replace('</sheetData>', '<a></a>'.repeat(bytes / 7))

// prettier-ignore
const HOSTILE: [what: string, file: () => Buffer | string, problem: string, limits?: Partial<TableLimits>][] = [
  ['a bomb by its ratio', workbook({ sheet: spaces(12 * MB) }), 'zip_bomb'],
  ['a bomb by its sum', workbook({ sheet: spaces(2 * MB) }), 'zip_bomb', { inflatedBytes: MB }],
  ['a bomb that declares little', () => zipLying(), 'zip_bomb'],
  ['a million columns', workbook({ rows: `<row>${'<c><v>1</v></c>'.repeat(1_000_000)}</row>` }), 'too_many_columns', { inflationRatio: 2_000 }],
  ['300,000 rows', workbook({ rows: ONE.repeat(300_000) }), 'too_many_rows', { inflationRatio: 2_000 }],
  ['a cell of 40,000 letters', workbook({ rows: `<row><c t="inlineStr"><is><t>${'a'.repeat(40_000)}</t></is></c></row>` }), 'cell_too_long'],
  ['a cell of megabytes', workbook({ rows: `<row><c t="inlineStr"><is><t>${'a'.repeat(3 * MB)}</t></is></c></row>` }), 'cell_too_long'],
  ['a row of many long texts', workbook({ rows: SAME_TEXTS, sharedStrings: [LONG_TEXT] }), 'row_too_long'],
  ['a text that very many cells share', workbook({ rows: '<row><c t="s"><v>0</v></c></row>'.repeat(40), sharedStrings: [LONG_TEXT] }), 'zip_bomb', { inflatedBytes: MB }],
  ['a row beyond the last of Excel', workbook({ rows: '<row r="3000000000"><c><v>1</v></c></row>' }), 'broken_xml'],
  ['tags within tags', workbook({ rows: '<a>'.repeat(1_000) }), 'broken_xml'],
  ['broken XML', workbook({ rows: '<row><c><v>1</c></row>' }), 'broken_xml'],
  ['XML that ends early', workbook({ sheet: sheetOf(ONE).slice(0, -20) }), 'broken_xml'],
  ['a number that is none', workbook({ rows: '<row><c><v>NaN</v></c></row>' }), 'broken_xml'],
  ['a shared text that is not there', workbook({ rows: '<row><c t="s"><v>5</v></c></row>' }), 'broken_xml'],
  ['rows that go back', workbook({ rows: '<row r="2"/><row r="1"/>' }), 'broken_xml'],
  ['two cells in one place', workbook({ rows: '<row><c r="B1"><v>1</v></c><c r="B1"><v>2</v></c></row>' }), 'broken_xml'],
  ['entities that grow', withDoctype('[<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]'), 'doctype'],
  ['an entity from outside', withDoctype('[<!ENTITY x SYSTEM "file:///etc/passwd">]'), 'doctype'],
  ['a truncated zip', () => workbookOf({ rows: ONE }).subarray(0, 700), 'broken_zip'],
  ['a zip with a damaged part', () => damaged(), 'broken_zip'],
  ['a zip with a part of another sum', () => zipOf([{ name: '_rels/.rels', content: '<a/>', hasWrongSum: true }]), 'broken_zip'],
  ['a formula without a result', workbook({ rows: '<row><c><v>1</v></c><c><f>A1</f></c></row>' }), 'formula_without_result'],
  ['macros', workbook({ more: [{ name: 'xl/vbaProject.bin', content: 'Sub' }] }), 'macros'],
  ['macros of old', workbook({ more: [{ name: 'xl/macrosheets/sheet1.xml', content: '<a/>' }] }), 'macros'],
  ['another zip', () => zipOf([{ name: 'word/document.xml', content: '<a/>' }]), 'not_a_workbook'],
  ['an encrypted part', () => zipOf([{ name: 'xl/workbook.xml', content: '', isEncrypted: true }]), 'encrypted'],
  ['a part twice', workbook({ more: [{ name: 'xl/styles.xml', content: '<a/>' }] }), 'broken_zip'],
  ['parts that share their bytes', () => zipOf([{ name: 'a', content: 'x' }, { name: 'b', content: 'x', isAtFirst: true }]), 'zip_bomb'],
  ['thousands of parts', () => zipOf(Array.from({ length: 2_001 }, (_, at) => ({ name: `${at}`, content: '' }))), 'zip_bomb'],
  ['an encrypted workbook', () => Buffer.concat([COMPOUND, Buffer.from('EncryptedPackage', 'utf16le')]), 'encrypted'],
  ['a workbook of old Excel', () => Buffer.concat([COMPOUND, Buffer.from('Workbook', 'utf16le')]), 'old_workbook'],
  ['a workbook of Excel 2', () => Buffer.from('0900040002001000', 'hex'), 'old_workbook'],
  ['a workbook of Excel 4', () => Buffer.from('09040600000010000000', 'hex'), 'old_workbook'],
  ['a workbook of Excel 5 without a container', () => Buffer.from('0908080000050500bb0dcc07', 'hex'), 'old_workbook'],
  ['an old document', () => Buffer.concat([COMPOUND, Buffer.from('WordDocument', 'utf16le')]), 'not_a_table'],
  ['a page called a workbook', () => '<html><table><tr><td>1', 'not_a_table'],
  ['a PDF', () => '%PDF-1.7', 'not_a_table'],
  ['nothing', () => '', 'empty'],
  ['a workbook without rows', workbook({}), 'empty'],
  ['lines without text', () => '\n\n ;\n'.replace(' ', ''), 'empty'],
  ['NUL bytes', () => 'a;b\n1;\0\n', 'binary'],
  ['NUL bytes among old letters', () => Buffer.from([0xcf, 0xf0, 0x3b, 0, 0x0a]), 'binary'],
  ['too many bytes', () => 'a;b\n'.repeat(100), 'too_large', { bytes: 399 }],
  ['too many lines', () => 'a;b\n'.repeat(11), 'too_many_rows', { rows: 10 }],
  ['a line of 200 columns', () => `${'a;'.repeat(200)}\n`, 'too_many_columns'],
  ['a long cell in a line', () => `a;"${'b'.repeat(40_000)}"\n`, 'cell_too_long'],
  ['half a UTF-16 letter', () => Buffer.from([0xff, 0xfe, 0x41, 0, 0x42]), 'broken_text'],
  ['a quote that never ends', () => 'a;b\n1;"2\n3;4\n', 'broken_text'],
]

function zipLying() {
  const bytes = workbookOf({ sheet: spaces(2 * MB) })
  const truth = Buffer.alloc(4)
  truth.writeUInt32LE(spaces(2 * MB).length)
  for (let at = bytes.indexOf(truth); at !== -1; at = bytes.indexOf(truth, at)) {
    bytes.writeUInt32LE(5_000, at)
  }
  return bytes
}

function damaged() {
  const bytes = workbookOf({ rows: ONE.repeat(500) })
  bytes[bytes.indexOf('xl/worksheets/sheet1.xml') + 40] ^= 0xff
  return bytes
}

test.group('Refused files', (group) => {
  const scratch = scratchDirectory(group)

  for (const [what, file, problem, limits] of HOSTILE) {
    test(`${what}: ${problem}`, async ({ assert }) => {
      const refusal = await refusalOf(await scratch.write('file', file()), limits)
      assert.equal(refusal?.problem, problem)
    })
  }

  test('a refusal has the sheet and cell', async ({ assert }) => {
    const rows = '<row r="4"><c r="B4"><f>A1</f></c></row>'
    const refusal = await refusalOf(await scratch.write('a.xlsx', workbookOf({ rows })))

    assert.deepEqual(refusal?.place, { line: 4, column: 2 })
    assert.include(refusal?.message, 'line 4, column 2')
  })

  test('a refusal of a text file has the line', async ({ assert }) => {
    const text = `a;b\n"1\r\n2";3\nc;d;${'e'.repeat(50)}\n`
    const refusal = await refusalOf(await scratch.write('a.csv', text), { cellLetters: 40 })

    assert.deepEqual(refusal?.place, { line: 4, column: 3 })
  })
})
