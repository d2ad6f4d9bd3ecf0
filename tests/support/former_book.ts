import { FORMER_SHEETS, FORMER_VERSION } from '#returned_workbooks/check/former_format'
import { formerWords } from '#returned_workbooks/check/former_words'
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
/** The headings of format 3, by the columns that have their data now. */
const FORMER_HEADINGS: Record<string, string> = {
  buyerExposure: 'Чьи деньги',
  platformExposure: 'x',
  partnerExposure: 'y',
  severity: 'Критичность',
  severityName: 'z1',
  state: 'Состояние',
  stateName: 'z2',
  fault: 'Вина',
  faultName: 'z3',
  caseCharged: 'b1',
  caseReturned: 'b2',
  caseBought: 'b3',
  probable: 'b4',
}
/** The columns of defects in the order of format 3, by the columns that have their data now. */
// prettier-ignore
const FORMER_ORDER = [
  'no', 'defectId', 'caseId', 'code', 'severity', 'subclass', 'state', 'fault', 'orderId', 'partnerOrderId', 'occurredAt',
  'exposure', BY_PARTY[0], 'seatsResold', 'dueOn', 'name', 'foundAt', 'attempts', 'payments', 'claimed', 'total',
  'isStrictBreach', 'hint', 'paymentId', 'eventTitle', 'createdAt', 'windowEndsAt', 'paidAtRaw', 'paidAt', 'deviation',
  'linkedOrders', 'resolution', 'stateBy', 'stateAt', 'rowCode',
] as const

/**
 * Makes a Russian workbook of one file into one of format 3, sealed by us: an amount and its party instead of three amounts,
 * and no sheet of balances.
 */
export async function inFormerFormat(path: string, to: string) {
  await changeRows(path, to, DEFECTS, ([head, ...lines]) => [
    Object.entries(FORMER_HEADINGS).reduce((row, [key, text]) => withText(row, key, text), head),
    ...lines.map((line) =>
      BY_PARTY.reduce((row, key) => withText(row, key, key === BY_PARTY[0] ? 'BUYER' : ''), line)
    ),
  ])
  const hashes = await dataHashes(to)
  const control = await readSheet(to, 'control')
  const cells = control.flat().map(String)
  const stated = cells.find((cell) => cell.startsWith('settlement-book '))!
  const seal = String(control.find(([label]) => label === WORDS.ru.seal)![1])
  const passport = stated.replace(`book ${WORKBOOK_VERSION} `, `book ${FORMER_VERSION} `)
  await changeParts(to, (content) =>
    withFormerNames(content.replaceAll(stated, passport).replaceAll(WORDS.ru.sheets.balances, 'z4'))
  )
  // Pages have words that are headings, too.
  const sealed = sealOf(passport, { ...hashes, ...(await pageHashes(to)) })
  await changeParts(to, (content) => content.replaceAll(seal, sealed))
  return to
}

async function changeParts(path: string, change: (content: string) => string) {
  const parts = await partsOf(path)
  const files = [...parts].map(([name, content]) => ({ name, content: change(content) }))
  await writeFile(path, zipOf(files))
}

/** The sheets whose words are only in format 4; that of defects has its own order above. */
const FORMERLY_WITHOUT_WORDS = DATA_SHEETS.filter(({ key }) => key !== 'defects')

/** Sheets and columns under the names of format 3. */
function withFormerNames(content: string) {
  const former = formerWords('ru')
  let renamed = content.replaceAll(
    `name="${WORDS.ru.sheets.defects}"`,
    `name="${former.sheets.defects}"`
  )
  // Format 3 has no words where it has codes; the headings of codes were theirs.
  const columnsWithWords = FORMERLY_WITHOUT_WORDS.flatMap(({ columns }) => columns)
  for (const { key, wordsFor } of columnsWithWords)
    if (wordsFor) renamed = renamed.replaceAll(`>${HEADINGS[key]}</t>`, `>words ${key}</t>`)
  // Pages have the text of a link to the sheet of defects, too.
  const headings = Object.entries(HEADINGS).filter(([key]) => key !== 'toDefects')
  for (const [key, heading] of headings)
    renamed = renamed.replaceAll(
      `>${heading}</t>`,
      `>${former.columns[key as keyof typeof HEADINGS]}</t>`
    )
  return renamed
}

const withText = (row: string, key: string, text: string) =>
  row.replace(
    new RegExp(`<c r="(${letterOf(key)}\\d+)"( s="\\d+")?[^>]*?(/>|>.*?</c>)`, 's'),
    (_, place: string, style = '') =>
      `<c r="${place}"${style} t="inlineStr"><is><t>${text}</t></is></c>`
  )

async function dataHashes(path: string) {
  const hashes: Partial<Record<SheetKey, string>> = {}
  for (const sheet of FORMER_SHEETS) {
    if (sheet.key === 'register') continue
    const [head, ...lines] = await readSheet(path, sheet.key)
    const wanted =
      sheet.key === 'defects'
        ? FORMER_ORDER.map((key) => FORMER_HEADINGS[key] ?? HEADINGS[key])
        : valueColumns(sheet).map(({ key }) => HEADINGS[key])
    const places = wanted.map((heading) => head.indexOf(heading))
    const total = new MultisetHash()
    for (const cells of lines) total.add(hashRow(places.map((at) => readValue(cells[at]))))
    hashes[sheet.key] = total.hex
  }
  return hashes
}

async function pageHashes(path: string) {
  const hashes: Partial<Record<SheetKey, string>> = {}
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
