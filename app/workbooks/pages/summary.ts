import platform from '#config/platform'
import { isCarriedOver } from '#ledger/terms'
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
} from '#workbooks/document/document'
import { count, label, link, moment, Page, tenge, text, pageColumns } from '#workbooks/pages/page'
import { writeMatrix } from '#workbooks/pages/matrix'
import type { SheetKey, Words } from '#workbooks/words/words'
import { cellAs, formula } from '#spreadsheets/cells'
import type { SheetSpec, Workbook } from '#spreadsheets/workbook'

const RED = { redNegative: true }
const REDS = [{}, {}, {}, RED, RED, RED, RED]
const DETAILS: Partial<Record<MovementKind, SheetKey>> = {
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
  const columns = pageColumns([46, 30, 20, 18, 20, 18, 18, 12, 12], REDS)
  const sheet = await book.sheet({
    name,
    columns,
    footer,
    hasHeader: false,
    isProtected: true,
    tabColor: '2F5597',
  })
  const page = new Page(sheet)
  await page.line(text(documentTitle(document, words), 'title'))
  await page.blankLine()
  await writeParties(page, document, words)
  await page.blankLine()
  await writeBridge(page, book, document, words)
  await page.blankLine()
  await writeMatrix(page, book, document, words)
  await page.blankLine()
  await writeUnsettled(page, document, words)
  await sheet.close()
  return page.hash
}

async function writeParties(page: Page, document: Document, words: Words) {
  const { partner, statement, terms, from, to, asOf } = document
  const name = terms.legalName ?? partner.name
  await page.line(label(words.platform), text(platform.legalName))
  await page.line(label(words.bin), cellAs('id', platform.bin))
  await page.line(label(words.partner), text(`${name} (${partner.code})`))
  await page.line(label(words.bin), cellAs('id', terms.bin))
  await page.line(label(words.contract), text(contractOf(document, words)))
  await page.line(label(words.number), cellAs('id', documentNumber(document, words)))
  const status = statement ? words.statuses[statement.status] : words.draft
  await page.line(label(words.statementStatus), text(status))
  await page.line(label(words.period), moment(from), moment(to))
  await page.line(label(words.asOf), moment(asOf))
  if (statement) await page.line(label(words.disputeUntil), moment(statement.disputeUntil))
  await page.line(label(words.ruleSet), cellAs('id', String(document.ruleSetVersion)))
  const rates = [terms.commissionBp, terms.vatBp].map((bp) =>
    cellAs('percent', bp / 10_000, 'fact')
  )
  await page.line(label(words.terms), ...rates, cellAs('id', `#${terms.id}`))
  const files = fileCount(document)
  if (files > 1) await page.line(label(words.files), text(`${files} · ${MANIFEST}`))
}

async function writeBridge(page: Page, book: Workbook, document: Document, words: Words) {
  const name = words.sheets.summary
  const { totals, openingTenge } = document
  await page.line(text(words.bridge, 'strong'))
  await page.figureHeadings([1, 3], words.item, words.operations, words.ticketCount, words.sum)
  const opening = await page.line(
    text(words.opening, 'strong'),
    null,
    null,
    tenge(openingTenge, 'strong')
  )
  book.defineName('opening_balance', name, `D${opening}`)
  const first = page.nextRow
  for (const kind of listedKinds(totals)) await writeKind(page, kind, document, words)
  const last = page.nextRow - 1
  const turnover = formula(`SUM(D${first}:D${last})`, netMovement(totals))
  const operations = MOVEMENT_KINDS.reduce((sum, kind) => sum + totals[kind].movements, 0)
  await page.line(
    text(words.turnover, 'strong'),
    count(formula(`SUM(B${first}:B${last})`, operations), 'strong'),
    null,
    tenge(turnover, 'strong'),
    link(words.sheets.movements)
  )
  const sum = formula(`D${opening}+D${last + 1}`, closingBalance(document))
  const closing = await page.line(
    text(words.closing, 'strong'),
    null,
    null,
    tenge(sum, 'strong'),
    link(words.sheets.act)
  )
  book.defineName('closing_balance', name, `D${closing}`)
  if (isCarriedOver(closingBalance(document), document.terms))
    await page.line(text(words.carriedOver), null, null, tenge(document.terms.minPaymentTenge))
}

async function writeKind(page: Page, kind: MovementKind, document: Document, words: Words) {
  const { movements, tickets, tenge: sum } = document.totals[kind]
  const code = kind.toUpperCase()
  const details = DETAILS[kind]
  await page.line(
    text(words.kinds[kind]),
    count(formulaOverRows(document, `COUNTIFS(mov_kind,"${code}")`, movements)),
    count(formulaOverRows(document, `SUMIFS(mov_tickets,mov_kind,"${code}")`, tickets)),
    tenge(formulaOverRows(document, `SUMIFS(mov_amount,mov_kind,"${code}")`, sum)),
    details ? link(words.sheets[details]) : null
  )
}

async function writeUnsettled(page: Page, document: Document, words: Words) {
  const { pending, disputed, late } = document
  await page.line(text(words.unsettled, 'strong'))
  await page.figureHeadings([1, 3], words.item, words.operations, '', words.sum)
  for (const [name, { count: found, tenge: sum }] of [
    [words.pending, pending],
    [words.disputed, disputed],
  ] as const)
    await page.line(text(name), count(found), null, tenge(sum))
  await page.line(
    text(words.late),
    count(formulaOverRows(document, 'SUM(mov_late)', late.count)),
    null,
    tenge(formulaOverRows(document, 'SUMIFS(mov_amount,mov_late,1)', late.tenge))
  )
}
