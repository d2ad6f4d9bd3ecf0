import { MOVEMENT_KINDS, VOID_KINDS, type MovementKind } from '#ledger/movements'
import {
  closingBalance,
  fileCount,
  formulaOverRows,
  partCount,
  columnSum,
  WORKBOOK_VERSION,
  type Document,
} from '#workbooks/document/document'
import { countCell, labelCell, Page, tengeCell, textCell, pageColumns } from '#workbooks/pages/page'
import { KINDS_WITHOUT_ORDER } from '#workbooks/sheets/scope_sql'
import { definedNameOf, RED_FILL, type DataSheet } from '#workbooks/sheets/sheet'
import { adjustments } from '#workbooks/sheets/adjustments'
import { sheetsOf } from '#workbooks/sheets/all'
import { balances } from '#workbooks/sheets/balances'
import { defects } from '#workbooks/sheets/defects'
import { events } from '#workbooks/sheets/events'
import { movements } from '#workbooks/sheets/movements'
import { orders } from '#workbooks/sheets/orders'
import { returns } from '#workbooks/sheets/returns'
import { tickets } from '#workbooks/sheets/tickets'
import type { ColumnKey, Words } from '#workbooks/words/words'
import { cellAs, formula } from '#spreadsheets/cells'
import type { SheetSpec, Workbook } from '#spreadsheets/workbook'

interface Side {
  /** Null for a figure that is read from the database and not from the workbook. */
  formula: string | null
  value: bigint
}
/** The hashes, passport and seal that the control sheet shows. */
export interface ControlFacts {
  fixedDataSha256: string
  changeableDataSha256: string
  passport: string
  seal: string
}
type Check = [name: keyof Words['checks'], left: Side, right: Side]

// ISLOGICAL, because Excel takes a blank cell for FALSE.
const CONTROL_FILLS = [
  { when: 'AND(ISLOGICAL({c3}),NOT({c3}))', fill: RED_FILL, columns: ['c0', 'c1', 'c2', 'c3'] },
  { when: 'AND(ISLOGICAL({c3}),{c3})', fill: 'D9F0DD', columns: ['c3'] },
]

const side = (text: string | null, value: bigint): Side => ({ formula: text, value })

function sumOfKinds(document: Document, kinds: readonly MovementKind[]): Side {
  const sums = kinds.map((kind) => `SUMIFS(mov_amount,mov_kind,"${kind.toUpperCase()}")`)
  const value = kinds.reduce((sum, kind) => sum + document.totals[kind].tenge, 0n)
  return side(sums.join('+'), value)
}

const sumOfPurchases = (column: ColumnKey) =>
  `SUMIFS(${definedNameOf(balances, column)},bal_kind,"PURCHASE")`

const isOfOrder = (kind: MovementKind) => !KINDS_WITHOUT_ORDER.some((other) => other === kind)

function checksOf(document: Document): Check[] {
  const of = (sheet: DataSheet, column: ColumnKey) =>
    side(`SUM(${definedNameOf(sheet, column)})`, columnSum(document, sheet.key, column))
  const { openingTenge, defectsByCode, openCases, caseSums } = document
  const difference = side(
    'closing_balance-opening_balance',
    closingBalance(document) - openingTenge
  )
  const atRisk = defectsByCode.reduce(
    (sum, row) => sum + row.buyer + row.platform + row.partner,
    0n
  )
  const open = defectsByCode.reduce((sum, row) => sum + row.open, 0)
  return [
    ['movements', of(movements, 'amount'), difference],
    ['sold', of(orders, 'sold'), sumOfKinds(document, ['sale'])],
    ['payable', of(orders, 'payable'), sumOfKinds(document, MOVEMENT_KINDS.filter(isOfOrder))],
    ['ticketsSold', of(tickets, 'sold'), of(orders, 'sold')],
    ['ticketsReturned', of(tickets, 'returned'), of(orders, 'returned')],
    ['returns', of(returns, 'amount'), sumOfKinds(document, VOID_KINDS)],
    ['events', of(events, 'payable'), of(orders, 'payable')],
    ['adjustments', of(adjustments, 'amount'), sumOfKinds(document, KINDS_WITHOUT_ORDER)],
    ['exposure', of(defects, 'exposure'), side('SUM(sum_exposure)', atRisk)],
    ['buyerExposure', of(defects, 'buyerExposure'), side(null, openCases.buyer)],
    ['platformExposure', of(defects, 'platformExposure'), side(null, openCases.platform)],
    ['partnerExposure', of(defects, 'partnerExposure'), side(null, openCases.partner)],
    [
      'balanceLines',
      side(
        `${sumOfPurchases('countedCharge')}-${sumOfPurchases('countedReturn')}-${sumOfPurchases('bought')}`,
        caseSums.purchases
      ),
      side('SUMIFS(bal_open,bal_kind,"CASE")', caseSums.cases),
    ],
    ['balanceBuyer', of(balances, 'buyerExposure'), of(defects, 'buyerExposure')],
    ['balancePlatform', of(balances, 'platformExposure'), of(defects, 'platformExposure')],
    ['balancePartner', of(balances, 'partnerExposure'), of(defects, 'partnerExposure')],
    ['openDefects', side('sum_open', BigInt(open)), side(null, BigInt(openCases.defects))],
  ]
}

/**
 * Writes the control sheet: Excel recalculates every total from the rows and compares both sides.
 *
 * Example: movements of +36,000, -3,600 and -20,000; opening balance 50,000, closing balance 62,400.
 *   movements   SUM(mov_amount) = 12,400   closing_balance-opening_balance = 12,400   TRUE
 */
export async function writeControl(
  book: Workbook,
  document: Document,
  words: Words,
  footer: SheetSpec['footer'],
  facts: ControlFacts
) {
  const columns = pageColumns([70, 26, 26, 14], [{ wrap: true }])
  const sheet = await book.sheet({
    name: words.sheets.control,
    columns,
    footer,
    hasHeader: false,
    isProtected: true,
    isOnePage: true,
    conditionalFills: CONTROL_FILLS,
  })
  const page = new Page(sheet)
  await page.line(textCell(words.sheets.control, 'title'))
  await page.blankLine()
  await page.figureHeadings([1, 2], words.check, words.left, words.right, words.isEqual)
  for (const [name, left, right] of checksOf(document))
    await writeCheck(page, document, words.checks[name], [left, right])
  await writeOpening(page, document, words)
  await page.blankLine()
  await writeCounts(page, document, words)
  await page.blankLine()
  await writeHashes(page, document, facts, words)
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
    textCell(name),
    tengeCell(valueOf(document, left)),
    tengeCell(valueOf(document, right)),
    cellAs('formula', formula(`B${row}=C${row}`, left.value === right.value))
  )
}

const valueOf = (document: Document, { formula: text, value }: Side) =>
  text === null ? value : formulaOverRows(document, text, value)

/** Compares the opening balance with the previous closing one; not for a draft that begins within a period. */
async function writeOpening(page: Page, document: Document, words: Words) {
  const { openingTenge, previousClosing, statement } = document
  const row = page.nextRow
  const before = previousClosing ?? 0n
  const isJudged = statement !== null || openingTenge === before
  await page.line(
    textCell(words.checks.opening),
    tengeCell(formula('opening_balance', openingTenge)),
    tengeCell(before),
    isJudged ? cellAs('formula', formula(`B${row}=C${row}`, openingTenge === before)) : null
  )
}

async function writeCounts(page: Page, document: Document, words: Words) {
  await page.figureHeadings([1, 2], words.rowsOf, words.left, words.right, words.isEqual)
  for (const { key, columns } of sheetsOf(document)) {
    // Further rows are in further files, which have their own checks.
    const rows = Math.min(document.sheets[key]!.rows, document.rowsPerSheet)
    const parts = partCount(document, key)
    const row = page.nextRow
    await page.line(
      textCell(parts === 1 ? words.sheets[key] : `${words.sheets[key]} (1 / ${parts})`),
      countCell(formula(`COUNT(${columns[0].definedName})`, rows)),
      countCell(rows),
      cellAs('formula', formula(`B${row}=C${row}`, true))
    )
  }
}

async function writeHashes(page: Page, document: Document, facts: ControlFacts, words: Words) {
  const visible = columnSum(document, 'movements', 'amount')
  await page.line(
    textCell(words.filtered),
    tengeCell(formulaOverRows(document, 'SUBTOTAL(109,mov_amount)', visible))
  )
  await page.line(textCell(words.files), countCell(fileCount(document)))
  await page.blankLine()
  await page.line(labelCell(words.dataHash), cellAs('id', facts.fixedDataSha256))
  await page.line(labelCell(words.defectsHash), cellAs('id', facts.changeableDataSha256))
  const { statement } = document
  if (statement)
    await page.line(labelCell(words.statementHash), cellAs('id', statement.statementSha256))
  if (statement?.prevSha256)
    await page.line(labelCell(words.previousHash), cellAs('id', statement.prevSha256))
  await page.line(labelCell(words.generator), cellAs('id', String(WORKBOOK_VERSION)))
  await page.line(labelCell(words.ruleSet), cellAs('id', String(document.ruleSetVersion)))
  await page.line(labelCell(words.passport))
  await page.line(textCell(facts.passport))
  await page.line(labelCell(words.seal), cellAs('id', facts.seal))
}
