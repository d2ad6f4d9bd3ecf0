import { FORMER_VERSION } from '#workbooks/check/former_format'
import { WORKBOOK_VERSION } from '#workbooks/document/document'
import { OWN_ACT_COLUMNS } from '#workbooks/pages/act'
import { hashLine, hashRow, MultisetHash } from '#workbooks/proof/multiset_hash'
import { sealOf } from '#workbooks/proof/passport'
import { DATA_SHEETS } from '#workbooks/sheets/all'
import { valueColumns } from '#workbooks/sheets/sheet'
import { WORDS, type SheetKey } from '#workbooks/words/words'
import { readTable } from '#spreadsheets/read_table'
import { readValue } from '#spreadsheets/shown_value'
import { DEFECTS, letterOf } from '#tests/support/answered_workbook'
import { changeRows } from '#tests/support/changed_workbook'
import { partsOf } from '#tests/support/parts_of'
import { readSheet } from '#tests/support/settlement_workbook'
import { zipOf } from '#tests/support/zip_file'
import { writeFile } from 'node:fs/promises'

const { columns: HEADINGS } = WORDS.ru
const BY_PARTY = ['buyerExposure', 'platformExposure', 'partnerExposure'] as const
const OF_BALANCE = ['caseCharged', 'caseReturned', 'caseBought'] as const

/** Makes a Russian workbook of one file into one of format 3, sealed by us: an amount and its party instead of three amounts. */
export async function inFormerFormat(path: string, to: string) {
  const since4 = [...BY_PARTY, ...OF_BALANCE]
  await changeRows(path, to, DEFECTS, ([head, ...lines]) => [
    since4.reduce((row, key, at) => withText(row, key, at === 0 ? HEADINGS.party : `x${at}`), head),
    ...lines.map((line) =>
      since4.reduce((row, key, at) => withText(row, key, at === 0 ? 'BUYER' : ''), line)
    ),
  ])
  const parts = await partsOf(to)
  const control = await readSheet(to, 'control')
  const cells = control.flat().map(String)
  const stated = cells.find((cell) => cell.startsWith('settlement-book '))!
  const seal = String(control.find(([label]) => label === WORDS.ru.seal)![1])
  const passport = stated.replace(`book ${WORKBOOK_VERSION} `, `book ${FORMER_VERSION} `)
  const sealed = sealOf(passport, await sheetHashes(to))
  const files = [...parts].map(([name, content]) => ({
    name,
    content: content.replaceAll(stated, passport).replaceAll(seal, sealed),
  }))
  await writeFile(to, zipOf(files))
  return to
}

const withText = (row: string, key: string, text: string) =>
  row.replace(
    new RegExp(`<c r="(${letterOf(key)}\\d+)"( s="\\d+")?[^>]*?(/>|>.*?</c>)`, 's'),
    (_, place: string, style = '') =>
      `<c r="${place}"${style} t="inlineStr"><is><t>${text}</t></is></c>`
  )

async function sheetHashes(path: string) {
  const hashes: Partial<Record<SheetKey, string>> = {}
  for (const sheet of DATA_SHEETS) {
    const [head, ...lines] = await readSheet(path, sheet.key)
    const columns = valueColumns(sheet).filter(({ isAnswer }) => !isAnswer)
    const wanted = columns.flatMap(({ key }) => {
      if (key === BY_PARTY[0]) return [HEADINGS.party]
      return [...BY_PARTY, ...OF_BALANCE].some((one) => one === key) ? [] : [HEADINGS[key]]
    })
    const places = wanted.map((heading) => head.indexOf(heading))
    const total = new MultisetHash()
    for (const cells of lines) total.add(hashRow(places.map((at) => readValue(cells[at]))))
    hashes[sheet.key] = total.hex
  }
  for (const page of ['summary', 'act'] as const) {
    const own = page === 'act' ? OWN_ACT_COLUMNS : Infinity
    const total = new MultisetHash()
    const { rows } = await readTable(path, {}, { sheet: WORDS.ru.sheets[page] })
    for await (const { line, cells } of rows) {
      const hash = hashLine(line, cells.slice(0, own).map(readValue))
      if (hash) total.add(hash)
    }
    hashes[page] = total.hex
  }
  return hashes
}
