import { isCarriedOver } from '#ledger/terms'
import type { SettlementStatement } from '#ledger/queries/find_statement'
import { listedKinds, MOVEMENT_KINDS, netMovement, type MovementKind } from '#ledger/movements'
import {
  closingBalance,
  fileCount,
  MANIFEST,
  documentNumber,
  formulaOverRows,
  documentTitle,
  type Document,
  contractOf,
  dayFirst,
  periodText,
} from '#workbooks/document/document'
import {
  countCell,
  labelCell,
  linkCell,
  momentCell,
  Page,
  tengeCell,
  textCell,
  pageColumns,
} from '#workbooks/pages/page'
import { writeDefectsByCode } from '#workbooks/pages/defects_by_code'
import type { DataSheetKey, Words } from '#workbooks/words/words'
import { cellAs, formula } from '#spreadsheets/cells'
import type { SheetSpec, Workbook } from '#spreadsheets/workbook'

const RED = { redNegative: true }
const REDS = [{}, {}, {}, RED, RED, RED, RED]
const DETAILS_SHEET: Record<MovementKind, DataSheetKey> = {
  sale: 'orders',
  refund: 'returns',
  event_cancel: 'returns',
  platform_void: 'returns',
  commission: 'orders',
  commission_reversal: 'returns',
  vat: 'orders',
  vat_reversal: 'returns',
  commission_rounding: 'adjustments',
  vat_rounding: 'adjustments',
  adj_debit: 'adjustments',
  adj_credit: 'adjustments',
  penalty: 'adjustments',
  payment: 'adjustments',
}

/** Writes the parties, the way from opening to closing balance, the defects and the open items. Returns its hash. */
export async function writeSummary(
  book: Workbook,
  document: Document,
  words: Words,
  footer: SheetSpec['footer']
) {
  const name = words.sheets.summary
  const columns = pageColumns([46, 30, 20, 18, 20, 18, 14, 12, 30], REDS)
  const sheet = await book.sheet({
    name,
    columns,
    // The last column has codes for formulas and programs.
    printedColumns: columns.length - 1,
    footer,
    hasHeader: false,
    isProtected: true,
    tabColor: '2F5597',
  })
  const page = new Page(sheet)
  await page.line(textCell(documentTitle(document, words), 'title'))
  await page.blankLine()
  await writeParties(page, document, words)
  await page.blankLine()
  await writeBalanceBridge(page, book, document, words)
  await page.blankLine()
  await writeDefectsByCode(page, book, document, words)
  await page.blankLine()
  await writeUnsettled(page, document, words)
  await sheet.close()
  return page.hash
}

async function writeParties(page: Page, document: Document, words: Words) {
  const { partner, statement, terms, issuer, asOf } = document
  const name = terms.legalName ?? partner.name
  await page.line(labelCell(words.platform), textCell(issuer?.legalName ?? null))
  await page.line(labelCell(words.bin), cellAs('id', issuer?.bin ?? null))
  await page.line(labelCell(words.partner), textCell(`${name} (${partner.code})`))
  await page.line(labelCell(words.bin), cellAs('id', terms.bin))
  await page.line(labelCell(words.contract), textCell(contractOf(document, words)))
  await page.line(labelCell(words.number), cellAs('id', documentNumber(document, words)))
  const status = statement ? statusOf(statement, words) : words.draft
  await page.line(labelCell(words.statementStatus), textCell(status))
  await page.line(labelCell(words.period), textCell(periodText(document, words)))
  await page.line(labelCell(words.asOf), momentCell(asOf))
  if (statement) await page.line(labelCell(words.readAt), momentCell(document.readAt))
  if (statement) await page.line(labelCell(words.disputeUntil), momentCell(statement.disputeUntil))
  await page.line(labelCell(words.ruleSet), cellAs('id', String(document.ruleSetVersion)))
  const rates = [terms.commissionBp, terms.vatBp].map((bp) =>
    cellAs('percent', bp / 10_000, 'fact')
  )
  await page.line(labelCell(words.terms), ...rates, cellAs('id', `#${terms.id}`))
  // Only where something was agreed on: the page of earlier statements stays as it was written.
  const policy = terms.usedTicketsOfCancelledEvents
  if (policy !== 'keep')
    await page.line(labelCell(words.usedTickets), textCell(words.usedTicketPolicies[policy]))
  if (statement?.payBy) await page.line(labelCell(words.payBy), textCell(dayFirst(statement.payBy)))
  const files = fileCount(document)
  if (files > 1) await page.line(labelCell(words.files), textCell(`${files} · ${MANIFEST}`))
}

/** The status, and what is paid of it: `Closed · partly paid`. */
const statusOf = (
  { status, paymentStatus }: Pick<SettlementStatement, 'status' | 'paymentStatus'>,
  words: Words
) =>
  paymentStatus === null
    ? words.statuses[status]
    : `${words.statuses[status]} · ${words.paymentStatuses[paymentStatus].toLowerCase()}`

async function writeBalanceBridge(page: Page, book: Workbook, document: Document, words: Words) {
  const name = words.sheets.summary
  const { totals, openingTenge } = document
  await page.line(textCell(words.balanceBridge, 'strong'))
  await page.figureHeadings([1, 3], words.item, words.operations, words.ticketCount, words.sum)
  const opening = await page.line(
    textCell(words.opening, 'strong'),
    null,
    null,
    tengeCell(openingTenge, 'strong')
  )
  book.defineName('opening_balance', name, `D${opening}`)
  const first = page.nextRow
  for (const kind of listedKinds(totals)) await writeKind(page, kind, document, words)
  const last = page.nextRow - 1
  const turnover = formula(`SUM(D${first}:D${last})`, netMovement(totals))
  const operations = MOVEMENT_KINDS.reduce((sum, kind) => sum + totals[kind].movements, 0)
  await page.line(
    textCell(words.turnover, 'strong'),
    countCell(formula(`SUM(B${first}:B${last})`, operations), 'strong'),
    null,
    tengeCell(turnover, 'strong'),
    linkCell(words.sheets.movements)
  )
  const sum = formula(`D${opening}+D${last + 1}`, closingBalance(document))
  const closing = await page.line(
    textCell(words.closing, 'strong'),
    null,
    null,
    tengeCell(sum, 'strong'),
    linkCell(words.sheets.act)
  )
  book.defineName('closing_balance', name, `D${closing}`)
  if (isCarriedOver(closingBalance(document), document.terms))
    await page.line(
      textCell(words.carriedOver),
      null,
      null,
      tengeCell(document.terms.minPaymentTenge)
    )
}

async function writeKind(page: Page, kind: MovementKind, document: Document, words: Words) {
  const { movements, tickets, tenge: sum } = document.totals[kind]
  const code = kind.toUpperCase()
  await page.line(
    textCell(words.kinds[kind]),
    countCell(formulaOverRows(document, `COUNTIFS(mov_kind,"${code}")`, movements)),
    countCell(formulaOverRows(document, `SUMIFS(mov_tickets,mov_kind,"${code}")`, tickets)),
    tengeCell(formulaOverRows(document, `SUMIFS(mov_amount,mov_kind,"${code}")`, sum)),
    linkCell(words.sheets[DETAILS_SHEET[kind]])
  )
}

async function writeUnsettled(page: Page, document: Document, words: Words) {
  const { pending, disputed, late } = document
  await page.line(textCell(words.unsettled, 'strong'))
  await page.figureHeadings([1, 3], words.item, words.operations, '', words.sum)
  for (const [name, { count: found, tenge: sum }] of [
    [words.pending, pending],
    [words.disputed, disputed],
  ] as const)
    await page.line(textCell(name), countCell(found), null, tengeCell(sum))
  await page.line(
    textCell(words.late),
    countCell(formulaOverRows(document, 'SUM(mov_late)', late.count)),
    null,
    tengeCell(formulaOverRows(document, 'SUMIFS(mov_amount,mov_late,1)', late.tenge))
  )
}
