import { listedKinds, netMovement, type MovementKind } from '#ledger/movements'
import {
  closingBalance,
  documentNumber,
  formulaOverRows,
  type Document,
  contractOf,
  dayFirst,
  periodText,
} from '#workbooks/document/document'
import { countCell, labelCell, Page, tengeCell, textCell, pageColumns } from '#workbooks/pages/page'
import { amountInWords } from '#shared/amount_in_words'
import type { Words } from '#workbooks/words/words'
import { localDay } from '#shared/days'
import type { Language } from '#shared/languages'
import { atLeastZero, sum } from '#shared/tenge'
import { cellAs, formula } from '#spreadsheets/cells'
import type { SheetSpec, Workbook } from '#spreadsheets/workbook'

/** The columns with our figures; the partner fills in the others. */
export const OWN_ACT_COLUMNS = 4
const UNLOCKED = { isUnlocked: true }
const COLUMNS = pageColumns(
  [6, 50, 19, 19, 19, 19],
  [{}, { wrap: true }, {}, {}, UNLOCKED, UNLOCKED]
)
const LINE = '_'.repeat(34)

/** Writes the reconciliation act (акт сверки), which both sides sign; the partner fills in its own figures. Returns its hash. */
export async function writeAct(
  book: Workbook,
  document: Document,
  words: Words,
  language: Language,
  footer: SheetSpec['footer']
) {
  const sheet = await book.sheet({
    name: words.sheets.act,
    columns: COLUMNS,
    footer,
    hasHeader: false,
    isProtected: true,
  })
  const page = new Page(sheet, OWN_ACT_COLUMNS)
  await page.line(textCell(`${markOf(document, words)}${words.actTitle}`, 'title'))
  await page.blankLine()
  await writePlaceAndDate(page, document, words)
  await writeParties(page, document, words)
  await page.blankLine()
  await writeTable(page, document, words)
  await page.blankLine()
  await writeClosing(page, document, words, language)
  await page.blankLine()
  await writeSignatures(page, document, words)
  await sheet.close()
  return page.hash
}

/** Marks the act of a draft or a superseded statement, which nobody may sign. */
function markOf({ statement }: Document, words: Words) {
  if (!statement) return `${words.draft} · `
  return statement.status === 'superseded' ? `${words.statuses.superseded} · ` : ''
}

/** The day on which the statement was issued; a draft has none, because nobody may sign it. */
async function writePlaceAndDate(page: Page, { issuer, statement }: Document, words: Words) {
  const date = statement ? dayFirst(localDay(statement.issuedAt)) : LINE
  await page.line(null, labelCell(words.place), textCell(issuer?.city ?? LINE))
  await page.line(null, labelCell(words.date), textCell(date))
  await page.blankLine()
}

async function writeParties(page: Page, document: Document, words: Words) {
  const { partner, terms, issuer } = document
  await page.line(textCell(words.actIntro))
  const fact = (name: string, ...values: Parameters<Page['line']>) =>
    page.line(null, labelCell(name), ...values)
  await fact(words.platform, textCell(issuer?.legalName ?? null))
  await fact(words.bin, cellAs('id', issuer?.bin ?? null))
  if (issuer?.address) await fact(words.address, textCell(issuer.address))
  await fact(words.partner, textCell(terms.legalName ?? partner.name))
  await fact(words.bin, cellAs('id', terms.bin))
  const contract = contractOf(document, words)
  await fact(words.basis, textCell(contract && `${words.contract} ${contract}`))
  await fact(words.number, cellAs('id', documentNumber(document, words)))
  await fact(words.period, textCell(periodText(document, words)))
}

async function writeTable(page: Page, document: Document, words: Words) {
  const sides = await page.heading('', '', words.byPlatform, '', words.byPartner, '')
  page.sheet.merge(`C${sides}:D${sides}`)
  page.sheet.merge(`E${sides}:F${sides}`)
  await page.figureHeadings(
    [2, 5],
    '№',
    words.item,
    words.debit,
    words.credit,
    words.debit,
    words.credit
  )
  const balance = (name: string, signed: string, value: bigint) =>
    page.line(
      null,
      textCell(name, 'strong'),
      tengeCell(formula(`MAX(${signed},0)`, atLeastZero(value)), 'strong'),
      tengeCell(formula(`MAX(-(${signed}),0)`, atLeastZero(-value)), 'strong'),
      null,
      null
    )
  await balance(words.opening, 'opening_balance', document.openingTenge)
  const first = page.nextRow
  for (const [index, kind] of listedKinds(document.totals).entries())
    await writeKind(page, index + 1, kind, document, words)
  const last = page.nextRow - 1
  await writeTurnover(page, document, words, { first, last })
  await balance(words.closing, 'closing_balance', closingBalance(document))
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
    countCell(number),
    textCell(words.kinds[kind]),
    tengeCell(formulaOverRows(document, `MAX(${signed},0)`, atLeastZero(value))),
    tengeCell(formulaOverRows(document, `MAX(-${signed},0)`, atLeastZero(-value))),
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
  const debit = sum(all.map(atLeastZero))
  const sums = [debit, debit - netMovement(totals), 0n, 0n].map((value, index) => {
    const letter = 'CDEF'[index]
    return tengeCell(formula(`SUM(${letter}${first}:${letter}${last})`, value), 'strong')
  })
  await page.line(null, textCell(words.turnover, 'strong'), ...sums)
}

/** What is owed at the end, in figures and in words. */
async function writeClosing(page: Page, document: Document, words: Words, language: Language) {
  const closing = closingBalance(document)
  const owed = closing < 0n ? words.owedByPlatform : words.owedByPartner
  await page.line(
    null,
    textCell(owed, 'strong'),
    tengeCell(formula('ABS(closing_balance)', closing < 0n ? -closing : closing), 'strong')
  )
  const inWords = await page.line(null, textCell(amountInWords(closing, language)))
  page.sheet.merge(`B${inWords}:F${inWords}`)
}

async function writeSignatures(page: Page, document: Document, words: Words) {
  const { issuer, partner, terms } = document
  const sides = (ours: string | null, theirs: string | null) =>
    page.line(null, textCell(ours ?? LINE), null, textCell(theirs ?? LINE))
  await page.line(null, textCell(words.platform, 'strong'), null, textCell(words.partner, 'strong'))
  await sides(issuer?.legalName ?? null, terms.legalName ?? partner.name)
  await page.blankLine()
  await sides(issuer?.signatory ?? null, terms.signatory)
  await page.line(null, labelCell(words.signedBy), null, labelCell(words.signedBy))
  await page.blankLine()
  await sides(null, null)
  await page.line(null, labelCell(words.signature), null, labelCell(words.signature))
  await page.line(null, labelCell(words.stamp), null, labelCell(words.stamp))
}
