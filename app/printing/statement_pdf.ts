/**
 * A statement as the act that both sides sign, on A4 pages: the same figures, parties and words as the act of the workbook
 * (`workbooks/pages/act.ts`). Tables are drawn line by line; a line that does not fit begins the next page.
 */
import { listedKinds, netMovement } from '#ledger/movements'
import type { SettlementStatement } from '#ledger/queries/find_statement'
import { registerFonts } from '#pdf/fonts'
import { amountInWords } from '#shared/amount_in_words'
import { localDay } from '#shared/days'
import type { Language } from '#shared/languages'
import { atLeastZero, abs, sum } from '#shared/tenge'
import {
  closingBalance,
  contractOf,
  dayFirst,
  documentNumber,
  periodText,
  type Document,
} from '#workbooks/document/document'
import { WORDS, type Words } from '#workbooks/words/words'
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'

type Doc = PDFKit.PDFDocument

export type PrintedStatement = Pick<Document, 'partner' | 'terms' | 'issuer'> & {
  statement: SettlementStatement
}

const MARGIN = 50
const PAGE = { width: 595.28, height: 841.89 }
const WIDTH = PAGE.width - 2 * MARGIN
/** Lines end here; below is the footer. */
const BOTTOM = PAGE.height - 70
/** Left edges and widths: number, item, our debit and credit, the partner's, which it fills in by hand. */
const COLUMNS = [
  { x: MARGIN, width: 20 },
  { x: MARGIN + 20, width: 203 },
  { x: MARGIN + 223, width: 68 },
  { x: MARGIN + 291, width: 68 },
  { x: MARGIN + 359, width: 68 },
  { x: MARGIN + 427, width: 68 },
] as const
/** Above the debit and credit of each side. */
const FIGURES = [
  { x: COLUMNS[2].x, width: 136 },
  { x: COLUMNS[4].x, width: 136 },
] as const
const SIDES = [
  { x: MARGIN, width: WIDTH / 2 - 15 },
  { x: MARGIN + WIDTH / 2 + 15, width: WIDTH / 2 - 15 },
] as const
const SMALL = 8.5
const NORMAL = 10
const GAP = 8
const RULE = '#9aa3ad'
const MUTED = '#5b6570'
const SIGN_HERE = '_'.repeat(30)

export async function renderStatementPdf(
  printed: PrintedStatement,
  language: Language
): Promise<Buffer> {
  const words = WORDS[language]
  const { statement } = printed
  const document = { ...printed, openingTenge: statement.openingTenge, totals: statement.totals }
  const doc = openDocument(statement, words, language)
  writeHead(doc, printed, words)
  writeTable(doc, document, words)
  writeClosing(doc, document, words, language)
  writeSignatures(doc, printed, words)
  writeFooters(doc, statement, words)
  doc.end()
  return buffer(doc)
}

/** All pages are kept until the end, because their footers have the number of pages. */
function openDocument(statement: SettlementStatement, words: Words, language: Language): Doc {
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: language,
    displayTitle: true,
    // The built-in font has no Cyrillic.
    font: '',
    bufferPages: true,
    autoFirstPage: false,
    info: {
      Title: `${words.title} ${documentNumber({ statement }, words)}`,
      CreationDate: statement.issuedAt,
    },
  })
  registerFonts(doc)
  return doc.addPage()
}

function writeHead(doc: Doc, printed: PrintedStatement, words: Words) {
  const { statement, issuer, terms, partner } = printed
  const mark = statement.status === 'superseded' ? `${words.statuses.superseded} · ` : ''
  line(doc, `${mark}${words.actTitle}`, { font: 'bold', size: 15, align: 'center' })
  line(doc, documentNumber({ statement }, words), { align: 'center' })
  doc.y += GAP
  const place = `${words.place}: ${issuer?.city ?? SIGN_HERE}`
  row(doc, SIDES, [place, `${words.date}: ${dayFirst(localDay(statement.issuedAt))}`])
  doc.y += GAP
  line(doc, words.actIntro)
  doc.y += 4
  fact(doc, words.platform, issuer?.legalName ?? null)
  fact(doc, words.bin, issuer?.bin ?? null)
  if (issuer?.address) fact(doc, words.address, issuer.address)
  fact(doc, words.partner, terms.legalName ?? partner.name)
  fact(doc, words.bin, terms.bin)
  const contract = contractOf({ terms }, words)
  fact(doc, words.basis, contract && `${words.contract} ${contract}`)
  fact(doc, words.period, periodText(statement, words))
  if (statement.payBy) fact(doc, words.payBy, dayFirst(statement.payBy))
  doc.y += GAP
}

type Figures = Pick<Document, 'openingTenge' | 'totals'>

function writeTable(doc: Doc, document: Figures, words: Words) {
  row(doc, FIGURES, [words.byPlatform, words.byPartner], { align: 'center' })
  const sides = [words.debit, words.credit]
  tableRow(doc, ['№', words.item, ...sides, ...sides], 'bold')
  const balance = (name: string, value: bigint) =>
    tableRow(doc, ['', name, ...sidesOf(value)], 'bold')
  balance(words.opening, document.openingTenge)
  for (const [index, kind] of listedKinds(document.totals).entries()) {
    const { tenge } = document.totals[kind]
    tableRow(doc, [String(index + 1), words.kinds[kind], ...sidesOf(tenge)], 'regular')
  }
  const all = Object.values(document.totals).map((total) => total.tenge)
  const debit = sum(all.map(atLeastZero))
  const credit = debit - netMovement(document.totals)
  tableRow(doc, ['', words.turnover, written(debit), written(credit)], 'bold')
  balance(words.closing, closingBalance(document))
  doc.y += GAP
}

/** Debit and credit: positive, the partner owes it. */
const sidesOf = (value: bigint) => [written(atLeastZero(value)), written(atLeastZero(-value))]
/** `1 234 567`, with spaces that do not break. */
const written = (tenge: bigint) => tenge.toLocaleString('ru').replaceAll(/\s/g, '\u00A0')

function writeClosing(doc: Doc, document: Figures, words: Words, language: Language) {
  const closing = closingBalance(document)
  const owed = closing < 0n ? words.owedByPlatform : words.owedByPartner
  line(doc, `${owed}: ${written(abs(closing))}`, { font: 'bold' })
  line(doc, amountInWords(closing, language))
  doc.y += GAP
}

function writeSignatures(doc: Doc, { issuer, terms, partner }: PrintedStatement, words: Words) {
  // The block stays together: a signature on a page of its own proves nothing.
  if (doc.y > BOTTOM - 130) doc.addPage()
  row(doc, SIDES, [words.platform, words.partner], { font: 'bold' })
  row(doc, SIDES, [issuer?.legalName ?? SIGN_HERE, terms.legalName ?? partner.name])
  doc.y += 4
  row(doc, SIDES, [issuer?.signatory ?? SIGN_HERE, terms.signatory ?? SIGN_HERE])
  row(doc, SIDES, [words.signedBy, words.signedBy], { size: SMALL, color: MUTED })
  doc.y += GAP
  row(doc, SIDES, [SIGN_HERE, SIGN_HERE])
  row(doc, SIDES, [words.signature, words.signature], { size: SMALL, color: MUTED })
  row(doc, SIDES, [words.stamp, words.stamp], { size: SMALL, color: MUTED })
}

function writeFooters(doc: Doc, statement: SettlementStatement, words: Words) {
  const { count } = doc.bufferedPageRange()
  const seal = statement.statementSha256.slice(0, 16)
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page)
    // Below the bottom margin, where text would else begin a page.
    doc.page.margins.bottom = 0
    doc.y = PAGE.height - 45
    const number = documentNumber({ statement }, words)
    row(doc, SIDES, [`${number} · ${seal}`, `${words.page} ${page + 1} ${words.of} ${count}`], {
      size: SMALL,
      color: MUTED,
      lastAlign: 'right',
    })
  }
}

interface Look {
  font?: 'regular' | 'bold'
  size?: number
  color?: string
  align?: 'left' | 'center' | 'right'
  lastAlign?: 'right'
}

function line(doc: Doc, text: string, look: Look = {}) {
  row(doc, [{ x: MARGIN, width: WIDTH }], [text], look)
}

function fact(doc: Doc, name: string, value: string | null) {
  const places = [
    { x: MARGIN, width: 150 },
    { x: MARGIN + 160, width: WIDTH - 160 },
  ]
  row(doc, places, [name, value ?? '—'])
}

function tableRow(doc: Doc, cells: string[], font: 'regular' | 'bold') {
  row(doc, COLUMNS, cells, { font, figures: true })
  const y = doc.y + 1
  doc
    .moveTo(MARGIN, y)
    .lineTo(PAGE.width - MARGIN, y)
    .lineWidth(0.5)
    .stroke(RULE)
  doc.y = y + 4
}

/** Texts next to each other; the next line begins below the longest. */
function row(
  doc: Doc,
  places: readonly { x: number; width: number }[],
  texts: string[],
  look: Look & { figures?: boolean } = {}
) {
  doc.font(look.font ?? 'regular').fontSize(look.size ?? NORMAL)
  doc.fillColor(look.color ?? 'black')
  const heights = texts.map((text, index) =>
    doc.heightOfString(text || ' ', { width: places[index].width })
  )
  const height = Math.max(...heights)
  if (doc.page.margins.bottom > 0 && doc.y + height > BOTTOM) doc.addPage()
  const top = doc.y
  for (const [index, text] of texts.entries()) {
    const isLast = index === texts.length - 1
    const align =
      look.figures && index >= 2 ? 'right' : (isLast && look.lastAlign) || (look.align ?? 'left')
    if (text) doc.text(text, places[index].x, top, { width: places[index].width, align })
  }
  doc.y = top + height + 2
}
