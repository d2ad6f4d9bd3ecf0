import { listedKinds, netMovement, type MovementKind } from '#ledger/movements'
import {
  closingBalance,
  documentNumber,
  formulaOverRows,
  type Document,
  contractOf,
} from '#workbooks/document/document'
import {
  countCell,
  labelCell,
  momentCell,
  Page,
  tengeCell,
  textCell,
  pageColumns,
} from '#workbooks/pages/page'
import type { Words } from '#workbooks/words/words'
import { atLeastNothing, sum } from '#shared/tenge'
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
  await writeParties(page, document, words)
  await page.blankLine()
  await writeTable(page, document, words)
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

async function writeParties(page: Page, document: Document, words: Words) {
  const { partner, terms, issuer, from, to } = document
  await page.line(textCell(words.actIntro))
  const fact = (name: string, ...values: Parameters<Page['line']>) =>
    page.line(null, labelCell(name), ...values)
  await fact(words.platform, textCell(issuer?.legalName ?? null), textCell(issuer?.address ?? null))
  await fact(words.bin, cellAs('id', issuer?.bin ?? null))
  await fact(words.partner, textCell(terms.legalName ?? partner.name))
  await fact(words.bin, cellAs('id', terms.bin))
  await fact(words.contract, textCell(contractOf(document, words)))
  await fact(words.number, cellAs('id', documentNumber(document, words)))
  await fact(words.period, momentCell(from), momentCell(to))
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
      tengeCell(formula(`MAX(${signed},0)`, atLeastNothing(value)), 'strong'),
      tengeCell(formula(`MAX(-(${signed}),0)`, atLeastNothing(-value)), 'strong'),
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
    tengeCell(formulaOverRows(document, `MAX(${signed},0)`, atLeastNothing(value))),
    tengeCell(formulaOverRows(document, `MAX(-${signed},0)`, atLeastNothing(-value))),
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
    return tengeCell(formula(`SUM(${letter}${first}:${letter}${last})`, value), 'strong')
  })
  await page.line(null, textCell(words.turnover, 'strong'), ...sums)
}

async function writeSignatures(page: Page, document: Document, words: Words) {
  const closing = closingBalance(document)
  const owed = closing < 0n ? words.owedByPlatform : words.owedByPartner
  await page.line(
    null,
    textCell(owed, 'strong'),
    tengeCell(formula('ABS(closing_balance)', closing < 0n ? -closing : closing), 'strong')
  )
  await page.blankLine()
  await page.line(null, textCell(words.platform, 'strong'), null, textCell(words.partner, 'strong'))
  for (const name of [words.signedBy, words.signature]) {
    const signatory = name === words.signedBy ? document.issuer?.signatory : null
    await page.blankLine()
    await page.line(null, textCell(signatory ?? LINE), null, textCell(LINE))
    await page.line(null, labelCell(name), null, labelCell(name))
  }
  await page.line(null, labelCell(words.stamp), null, labelCell(words.stamp))
}
