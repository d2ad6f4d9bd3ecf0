import platform from '#config/platform'
import { isCarriedOver } from '#ledger/terms'
import { MOVEMENT_KINDS, netMovement, type MovementKind } from '#ledger/movements'
import {
  closingOf,
  filesOf,
  MANIFEST,
  numberOf,
  overRows,
  titleOf,
  type Document,
  contractOf,
} from '#workbooks/document/document'
import {
  as,
  count,
  label,
  link,
  moment,
  Page,
  tenge,
  text,
  columnsOfPage,
} from '#workbooks/pages/page'
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
  adj_debit: 'adjustments',
  adj_credit: 'adjustments',
  penalty: 'adjustments',
  payment: 'adjustments',
}

/** Who settles what with whom, how the balance came about, what is wrong and what is still to come. */
export async function writeSummary(
  book: Workbook,
  document: Document,
  words: Words,
  footer: SheetSpec['footer']
) {
  const name = words.sheets.summary
  const columns = columnsOfPage([46, 30, 20, 18, 20, 18, 18, 12, 12], REDS)
  const sheet = await book.sheet({
    name,
    columns,
    footer,
    hasHeader: false,
    isProtected: true,
    tabColor: '2F5597',
  })
  const page = new Page(sheet)
  await page.line(text(titleOf(document, words), 'title'))
  await page.gap()
  await writeParties(page, document, words)
  await page.gap()
  await writeBridge(page, book, document, words)
  await page.gap()
  await writeMatrix(page, book, document, words)
  await page.gap()
  await writeUnsettled(page, document, words)
  await sheet.close()
  return page.sum
}

async function writeParties(page: Page, document: Document, words: Words) {
  const { partner, statement, terms, from, to, asOf } = document
  const name = terms.legalName ?? partner.name
  await page.line(label(words.platform), text(platform.legalName))
  await page.line(label(words.bin), as('id', platform.bin))
  await page.line(label(words.partner), text(`${name} (${partner.code})`))
  await page.line(label(words.bin), as('id', terms.bin))
  await page.line(label(words.contract), text(contractOf(document, words)))
  await page.line(label(words.number), as('id', numberOf(document, words)))
  const status = statement ? words.statuses[statement.status] : words.draft
  await page.line(label(words.statementStatus), text(status))
  await page.line(label(words.period), moment(from), moment(to))
  await page.line(label(words.asOf), moment(asOf))
  if (statement) await page.line(label(words.disputeUntil), moment(statement.disputeUntil))
  await page.line(label(words.ruleSet), as('id', String(document.ruleSetVersion)))
  const rates = [terms.commissionBp, terms.vatBp].map((bp) =>
    cellAs('percent', bp / 10_000, 'fact')
  )
  await page.line(label(words.terms), ...rates, as('id', `#${terms.id}`))
  const files = filesOf(document)
  if (files > 1) await page.line(label(words.files), text(`${files} · ${MANIFEST}`))
}

async function writeBridge(page: Page, book: Workbook, document: Document, words: Words) {
  const name = words.sheets.summary
  const { totals, openingTenge } = document
  await page.line(text(words.bridge, 'strong'))
  await page.figures([1, 3], words.item, words.operations, words.ticketCount, words.sum)
  const opening = await page.line(
    text(words.opening, 'strong'),
    null,
    null,
    tenge(openingTenge, 'strong')
  )
  book.defineName('opening_balance', name, `D${opening}`)
  const first = page.next
  for (const kind of MOVEMENT_KINDS) await writeKind(page, kind, document, words)
  const last = page.next - 1
  const turnover = formula(`SUM(D${first}:D${last})`, netMovement(totals))
  const operations = MOVEMENT_KINDS.reduce((sum, kind) => sum + totals[kind].movements, 0)
  await page.line(
    text(words.turnover, 'strong'),
    count(formula(`SUM(B${first}:B${last})`, operations), 'strong'),
    null,
    tenge(turnover, 'strong'),
    link(words.sheets.movements)
  )
  const sum = formula(`D${opening}+D${last + 1}`, closingOf(document))
  const closing = await page.line(
    text(words.closing, 'strong'),
    null,
    null,
    tenge(sum, 'strong'),
    link(words.sheets.act)
  )
  book.defineName('closing_balance', name, `D${closing}`)
  if (isCarriedOver(closingOf(document), document.terms))
    await page.line(text(words.carriedOver), null, null, tenge(document.terms.minPaymentTenge))
}

async function writeKind(page: Page, kind: MovementKind, document: Document, words: Words) {
  const { movements, tickets, tenge: sum } = document.totals[kind]
  const code = kind.toUpperCase()
  const details = DETAILS[kind]
  await page.line(
    text(words.kinds[kind]),
    count(overRows(document, `COUNTIFS(mov_kind,"${code}")`, movements)),
    count(overRows(document, `SUMIFS(mov_tickets,mov_kind,"${code}")`, tickets)),
    tenge(overRows(document, `SUMIFS(mov_amount,mov_kind,"${code}")`, sum)),
    details ? link(words.sheets[details]) : null
  )
}

async function writeUnsettled(page: Page, document: Document, words: Words) {
  const { pending, disputed, late } = document
  await page.line(text(words.unsettled, 'strong'))
  await page.figures([1, 3], words.item, words.operations, '', words.sum)
  for (const [name, { count: found, tenge: sum }] of [
    [words.pending, pending],
    [words.disputed, disputed],
  ] as const)
    await page.line(text(name), count(found), null, tenge(sum))
  await page.line(
    text(words.late),
    count(overRows(document, 'SUM(mov_late)', late.count)),
    null,
    tenge(overRows(document, 'SUMIFS(mov_amount,mov_late,1)', late.tenge))
  )
}
