import platform from '#config/platform'
import { MOVEMENT_KINDS, netMovement, type MovementKind } from '#ledger/movements'
import {
  closingOf,
  numberOf,
  overRows,
  type Document,
  contractOf,
} from '#workbooks/document/document'
import { as, count, label, moment, Page, tenge, text, columnsOfPage } from '#workbooks/pages/page'
import type { Words } from '#workbooks/words/words'
import { atLeastNothing, sum } from '#shared/tenge'
import { formula } from '#spreadsheets/cells'
import type { SheetSpec, Workbook } from '#spreadsheets/workbook'

/** The rest is for the partner's own figures. */
export const ACT_COLUMNS = 4
const OPEN = { isOpen: true }
const COLUMNS = columnsOfPage([6, 50, 19, 19, 19, 19], [{}, { wrap: true }, {}, {}, OPEN, OPEN])
const LINE = '_'.repeat(34)

/** To be printed and signed by both; the partner fills in its own side. */
export async function writeAct(
  book: Workbook,
  document: Document,
  words: Words,
  footer: SheetSpec['footer']
) {
  const sheet = await book.sheet({
    name: words.sheets.act,
    columns: COLUMNS,
    footer,
    hasHeader: false,
    isProtected: true,
  })
  const page = new Page(sheet, ACT_COLUMNS)
  await page.line(text(`${markOf(document, words)}${words.actTitle}`, 'title'))
  await page.gap()
  await writeParties(page, document, words)
  await page.gap()
  await writeTable(page, document, words)
  await page.gap()
  await writeSignatures(page, document, words)
  await sheet.close()
  return page.sum
}

/** A page that is printed by itself says of itself that it is nothing to sign. */
function markOf({ statement }: Document, words: Words) {
  if (!statement) return `${words.draft} · `
  return statement.status === 'superseded' ? `${words.statuses.superseded} · ` : ''
}

async function writeParties(page: Page, document: Document, words: Words) {
  const { partner, terms, from, to } = document
  await page.line(text(words.actIntro))
  const fact = (name: string, ...values: Parameters<Page['line']>) =>
    page.line(null, label(name), ...values)
  await fact(words.platform, text(platform.legalName))
  await fact(words.bin, as('id', platform.bin))
  await fact(words.partner, text(terms.legalName ?? partner.name))
  await fact(words.bin, as('id', terms.bin))
  await fact(words.contract, text(contractOf(document, words)))
  await fact(words.number, as('id', numberOf(document, words)))
  await fact(words.period, moment(from), moment(to))
}

async function writeTable(page: Page, document: Document, words: Words) {
  const sides = await page.heading('', '', words.byPlatform, '', words.byPartner, '')
  page.sheet.merge(`C${sides}:D${sides}`)
  page.sheet.merge(`E${sides}:F${sides}`)
  await page.figures([2, 5], '№', words.item, words.debit, words.credit, words.debit, words.credit)
  const balance = (name: string, formula_: string, value: bigint) =>
    page.line(
      null,
      text(name, 'strong'),
      tenge(formula(`MAX(${formula_},0)`, atLeastNothing(value)), 'strong'),
      tenge(formula(`MAX(-(${formula_}),0)`, atLeastNothing(-value)), 'strong'),
      null,
      null
    )
  await balance(words.opening, 'opening_balance', document.openingTenge)
  const first = page.next
  for (const [index, kind] of MOVEMENT_KINDS.entries())
    await writeKind(page, index + 1, kind, document, words)
  const last = page.next - 1
  await writeTurnover(page, document, words, { first, last })
  await balance(words.closing, 'closing_balance', closingOf(document))
}

async function writeKind(
  page: Page,
  number: number,
  kind: MovementKind,
  document: Document,
  words: Words
) {
  const value = document.totals[kind].tenge
  const signed = `SUMIFS(mov_amount,mov_kind,"${kind.toUpperCase()}")`
  await page.line(
    count(number),
    text(words.kinds[kind]),
    tenge(overRows(document, `MAX(${signed},0)`, atLeastNothing(value))),
    tenge(overRows(document, `MAX(-${signed},0)`, atLeastNothing(-value))),
    null,
    null
  )
}

async function writeTurnover(
  page: Page,
  { totals }: Document,
  words: Words,
  { first, last }: { first: number; last: number }
) {
  const all = Object.values(totals).map((total) => total.tenge)
  const debit = sum(all.map(atLeastNothing))
  const sums = [debit, debit - netMovement(totals), 0n, 0n].map((value, index) => {
    const letter = 'CDEF'[index]
    return tenge(formula(`SUM(${letter}${first}:${letter}${last})`, value), 'strong')
  })
  await page.line(null, text(words.turnover, 'strong'), ...sums)
}

async function writeSignatures(page: Page, document: Document, words: Words) {
  const closing = closingOf(document)
  const owed = closing < 0n ? words.owedByPlatform : words.owedByPartner
  await page.line(
    null,
    text(owed, 'strong'),
    tenge(formula('ABS(closing_balance)', closing < 0n ? -closing : closing), 'strong')
  )
  await page.gap()
  await page.line(null, text(words.platform, 'strong'), null, text(words.partner, 'strong'))
  for (const name of [words.signedBy, words.signature]) {
    await page.gap()
    await page.line(null, text(LINE), null, text(LINE))
    await page.line(null, label(name), null, label(name))
  }
  await page.line(null, label(words.stamp), null, label(words.stamp))
}
