import { MOVEMENT_KINDS, type MovementKind } from '#settlement/movements'
import { closingOf, sumIn, WORKBOOK_VERSION, type Document } from '#settlement/workbook/document'
import { as, count, label, Page, tenge, text } from '#settlement/workbook/page'
import { columnsOfPage } from '#settlement/workbook/pages/columns'
import { DATA_SHEETS } from '#settlement/workbook/sheets/all'
import type { Words } from '#settlement/workbook/words/words'
import { cellAs, formula } from '#spreadsheets/cells'
import type { SheetSpec, Workbook } from '#spreadsheets/workbook'

interface Side {
  formula: string
  value: bigint
}
type Check = [name: keyof Words['checks'], left: Side, right: Side]

const side = (text_: string, value: bigint): Side => ({ formula: text_, value })

function moved(document: Document, kinds: readonly MovementKind[]): Side {
  const sums = kinds.map((kind) => `SUMIFS(mov_amount,mov_kind,"${kind.toUpperCase()}")`)
  const value = kinds.reduce((sum, kind) => sum + document.totals[kind].tenge, 0n)
  return side(sums.join('+'), value)
}

const VOIDS = ['refund', 'event_cancel', 'platform_void'] as const
const BESIDE_ORDERS = ['adj_debit', 'adj_credit', 'penalty', 'payment'] as const
const isOfOrder = (kind: MovementKind) => !BESIDE_ORDERS.some((other) => other === kind)

function checksOf(document: Document): Check[] {
  const of = (sheet: Parameters<typeof sumIn>[1], name: string) =>
    side(`SUM(${name})`, sumIn(document, sheet, name))
  const { openingTenge, matrix } = document
  const difference = side('closing_balance-opening_balance', closingOf(document) - openingTenge)
  const atRisk = matrix.reduce((sum, row) => sum + row.buyer + row.platform + row.partner, 0n)
  return [
    ['movements', of('movements', 'mov_amount'), difference],
    ['sold', of('orders', 'ord_sold'), moved(document, ['sale'])],
    ['payable', of('orders', 'ord_payable'), moved(document, MOVEMENT_KINDS.filter(isOfOrder))],
    ['ticketsSold', of('tickets', 'tkt_sold'), of('orders', 'ord_sold')],
    ['ticketsReturned', of('tickets', 'tkt_returned'), of('orders', 'ord_returned')],
    ['returns', of('returns', 'ret_amount'), moved(document, VOIDS)],
    ['events', of('events', 'evt_payable'), of('orders', 'ord_payable')],
    ['adjustments', of('adjustments', 'adj_amount'), moved(document, BESIDE_ORDERS)],
    ['exposure', of('defects', 'def_exposure'), side('SUM(sum_exposure)', atRisk)],
  ]
}

/** The book proves itself: Excel calculates every total anew from the rows. */
export async function writeControl(
  book: Workbook,
  document: Document,
  words: Words,
  { footer, dataSha256 }: { footer: SheetSpec['footer']; dataSha256: string }
) {
  const columns = columnsOfPage([66, 22, 22, 14], [{ wrap: true }])
  const sheet = await book.sheet({
    ...{ name: words.sheets.control, columns, footer, hasHeader: false, isProtected: true },
  })
  const page = new Page(sheet)
  await page.line(text(words.sheets.control, 'title'))
  await page.gap()
  await page.heading(words.check, words.left, words.right, words.isEqual)
  for (const [name, left, right] of checksOf(document))
    await writeCheck(page, words.checks[name], left, right)
  await writeOpening(page, document, words)
  await page.gap()
  await writeCounts(page, document, words)
  await page.gap()
  await writeSums(page, document, dataSha256, words)
  await sheet.close()
}

async function writeCheck(page: Page, name: string, left: Side, right: Side) {
  const row = page.next
  await page.line(
    text(name),
    tenge(formula(left.formula, left.value)),
    tenge(formula(right.formula, right.value)),
    as('formula', formula(`B${row}=C${row}`, left.value === right.value))
  )
}

/** The first document of a partner begins at nothing; a range may begin amid a period. */
async function writeOpening(page: Page, document: Document, words: Words) {
  const { openingTenge, previousClosing, statement } = document
  const row = page.next
  const before = previousClosing ?? 0n
  const isJudged = statement !== null || openingTenge === before
  await page.line(
    text(words.checks.opening),
    tenge(formula('opening_balance', openingTenge)),
    tenge(before),
    isJudged ? as('formula', formula(`B${row}=C${row}`, openingTenge === before)) : null
  )
}

async function writeCounts(page: Page, document: Document, words: Words) {
  await page.heading(words.rowsOf, words.left, words.right, words.isEqual)
  for (const { key, columns } of DATA_SHEETS) {
    const { rows } = document.sheets[key]
    const row = page.next
    await page.line(
      text(words.sheets[key]),
      count(formula(`COUNT(${columns[0].name})`, rows)),
      count(rows),
      as('formula', formula(`B${row}=C${row}`, true))
    )
  }
}

async function writeSums(page: Page, document: Document, dataSha256: string, words: Words) {
  const visible = sumIn(document, 'movements', 'mov_amount')
  await page.line(text(words.filtered), tenge(formula('SUBTOTAL(109,mov_amount)', visible)))
  await page.gap()
  await page.line(label(words.dataHash), cellAs('id', dataSha256))
  const { statement } = document
  if (statement) await page.line(label(words.statementHash), cellAs('id', statement.sha256))
  if (statement?.prevSha256)
    await page.line(label(words.previousHash), cellAs('id', statement.prevSha256))
  await page.line(label(words.generator), cellAs('id', String(WORKBOOK_VERSION)))
  await page.line(label(words.ruleSet), cellAs('id', String(document.ruleSetVersion)))
}
