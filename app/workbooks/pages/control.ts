import { MOVEMENT_KINDS, type MovementKind } from '#ledger/movements'
import {
  closingBalance,
  fileCount,
  formulaOverRows,
  partCount,
  columnSum,
  WORKBOOK_VERSION,
  type Document,
} from '#workbooks/document/document'
import { count, label, Page, tenge, text, pageColumns } from '#workbooks/pages/page'
import { RED_FILL } from '#workbooks/sheets/sheet'
import { sheetsOf } from '#workbooks/sheets/all'
import type { Words } from '#workbooks/words/words'
import { cellAs, formula } from '#spreadsheets/cells'
import type { SheetSpec, Workbook } from '#spreadsheets/workbook'

interface Side {
  formula: string
  value: bigint
}
/** The hashes, passport and seal that the control sheet shows. */
export interface Proof {
  footer: SheetSpec['footer']
  dataSha256: string
  defectsSha256: string
  passport: string
  seal: string
}
type Check = [name: keyof Words['checks'], left: Side, right: Side]

// ISLOGICAL, because Excel takes a blank cell for FALSE.
const CONTROL_FILLS = [
  { when: 'AND(ISLOGICAL({c3}),NOT({c3}))', fill: RED_FILL, columns: ['c0', 'c1', 'c2', 'c3'] },
  { when: 'AND(ISLOGICAL({c3}),{c3})', fill: 'D9F0DD', columns: ['c3'] },
]

const side = (text_: string, value: bigint): Side => ({ formula: text_, value })

function moved(document: Document, kinds: readonly MovementKind[]): Side {
  const sums = kinds.map((kind) => `SUMIFS(mov_amount,mov_kind,"${kind.toUpperCase()}")`)
  const value = kinds.reduce((sum, kind) => sum + document.totals[kind].tenge, 0n)
  return side(sums.join('+'), value)
}

const VOIDS = ['refund', 'event_cancel', 'platform_void'] as const
const NOT_OF_ORDERS = [
  'adj_debit',
  'adj_credit',
  'penalty',
  'payment',
  'commission_rounding',
  'vat_rounding',
] as const
const isOfOrder = (kind: MovementKind) => !NOT_OF_ORDERS.some((other) => other === kind)

function checksOf(document: Document): Check[] {
  const of = (sheet: Parameters<typeof columnSum>[1], name: string) =>
    side(`SUM(${name})`, columnSum(document, sheet, name))
  const { openingTenge, matrix } = document
  const difference = side(
    'closing_balance-opening_balance',
    closingBalance(document) - openingTenge
  )
  const atRisk = matrix.reduce((sum, row) => sum + row.buyer + row.platform + row.partner, 0n)
  return [
    ['movements', of('movements', 'mov_amount'), difference],
    ['sold', of('orders', 'ord_sold'), moved(document, ['sale'])],
    ['payable', of('orders', 'ord_payable'), moved(document, MOVEMENT_KINDS.filter(isOfOrder))],
    ['ticketsSold', of('tickets', 'tkt_sold'), of('orders', 'ord_sold')],
    ['ticketsReturned', of('tickets', 'tkt_returned'), of('orders', 'ord_returned')],
    ['returns', of('returns', 'ret_amount'), moved(document, VOIDS)],
    ['events', of('events', 'evt_payable'), of('orders', 'ord_payable')],
    ['adjustments', of('adjustments', 'adj_amount'), moved(document, NOT_OF_ORDERS)],
    ['exposure', of('defects', 'def_exposure'), side('SUM(sum_exposure)', atRisk)],
  ]
}

/**
 * Writes the control sheet: Excel recalculates every total from the rows and compares both sides.
 *
 * Example: movements of +36,000, -3,600 and -20,000; opening balance 50,000, closing balance 62,400.
 *   movements   SUM(mov_amount) = 12,400   closing_balance-opening_balance = 12,400   TRUE
 */
export async function writeControl(book: Workbook, document: Document, words: Words, proof: Proof) {
  const columns = pageColumns([70, 26, 26, 14], [{ wrap: true }])
  const sheet = await book.sheet({
    name: words.sheets.control,
    columns,
    footer: proof.footer,
    hasHeader: false,
    isProtected: true,
    isOnePage: true,
    conditionalFills: CONTROL_FILLS,
  })
  const page = new Page(sheet)
  await page.line(text(words.sheets.control, 'title'))
  await page.blankLine()
  await page.figureHeadings([1, 2], words.check, words.left, words.right, words.isEqual)
  for (const [name, left, right] of checksOf(document))
    await writeCheck(page, document, words.checks[name], [left, right])
  await writeOpening(page, document, words)
  await page.blankLine()
  await writeCounts(page, document, words)
  await page.blankLine()
  await writeSums(page, document, proof, words)
  await sheet.close()
}

async function writeCheck(
  page: Page,
  document: Document,
  name: string,
  [left, right]: [Side, Side]
) {
  const row = page.nextRow
  await page.line(
    text(name),
    tenge(formulaOverRows(document, left.formula, left.value)),
    tenge(formulaOverRows(document, right.formula, right.value)),
    cellAs('formula', formula(`B${row}=C${row}`, left.value === right.value))
  )
}

/** Compares the opening balance with the previous closing one; not for a draft that begins within a period. */
async function writeOpening(page: Page, document: Document, words: Words) {
  const { openingTenge, previousClosing, statement } = document
  const row = page.nextRow
  const before = previousClosing ?? 0n
  const isJudged = statement !== null || openingTenge === before
  await page.line(
    text(words.checks.opening),
    tenge(formula('opening_balance', openingTenge)),
    tenge(before),
    isJudged ? cellAs('formula', formula(`B${row}=C${row}`, openingTenge === before)) : null
  )
}

async function writeCounts(page: Page, document: Document, words: Words) {
  await page.figureHeadings([1, 2], words.rowsOf, words.left, words.right, words.isEqual)
  for (const { key, columns } of sheetsOf(document)) {
    // Further rows are in further files, which have their own checks.
    const rows = Math.min(document.sheets[key].rows, document.rowsPerSheet)
    const parts = partCount(document, key)
    const row = page.nextRow
    await page.line(
      text(parts === 1 ? words.sheets[key] : `${words.sheets[key]} (1 / ${parts})`),
      count(formula(`COUNT(${columns[0].name})`, rows)),
      count(rows),
      cellAs('formula', formula(`B${row}=C${row}`, true))
    )
  }
}

async function writeSums(page: Page, document: Document, proof: Proof, words: Words) {
  const visible = columnSum(document, 'movements', 'mov_amount')
  await page.line(
    text(words.filtered),
    tenge(formulaOverRows(document, 'SUBTOTAL(109,mov_amount)', visible))
  )
  await page.line(text(words.files), count(fileCount(document)))
  await page.blankLine()
  await page.line(label(words.dataHash), cellAs('id', proof.dataSha256))
  await page.line(label(words.defectsHash), cellAs('id', proof.defectsSha256))
  const { statement } = document
  if (statement) await page.line(label(words.statementHash), cellAs('id', statement.sha256))
  if (statement?.prevSha256)
    await page.line(label(words.previousHash), cellAs('id', statement.prevSha256))
  await page.line(label(words.generator), cellAs('id', String(WORKBOOK_VERSION)))
  await page.line(label(words.ruleSet), cellAs('id', String(document.ruleSetVersion)))
  await page.line(label(words.passport))
  await page.line(proof.passport)
  await page.line(label(words.seal), cellAs('id', proof.seal))
}
