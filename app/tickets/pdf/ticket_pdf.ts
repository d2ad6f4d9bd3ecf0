import { LANGUAGES } from '#shared/languages'
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { registerFonts } from '#pdf/fonts'
import { checkCodeOf } from '#tickets/check_code'
import type { PrintedTicket } from '#tickets/pdf/printed_ticket'
import { drawDetails } from '#tickets/pdf/ticket_details'
import { drawQr, qrMatrix, type Square } from '#tickets/pdf/ticket_qr'
import {
  CARD,
  DETAILS_HEIGHT,
  HAIRLINE,
  INK,
  LEFT,
  MUTED,
  RED,
  RIGHT,
  SHADE,
  drawDashes,
  mm,
  put,
  type Doc,
} from '#tickets/pdf/drawing'
import {
  LABELS,
  RULES,
  STAMPS,
  capitals,
  joined,
  languagesOf,
  printable,
} from '#tickets/pdf/ticket_words'

/** With the quiet zone; a version 18 symbol itself is 70.6 mm wide, 0.79 mm a module. */
const QR_SIDE = mm(77)
const QR_QUIET = mm(3.2)
const CODE_WIDTH = mm(16)

/**
 * One A4 page: the ticket above the fold line, the rules below it, in three languages.
 * A void ticket, or one with a null token, is stamped and has no QR code (partner-api.md, Ticket).
 * The same ticket gives the same bytes: the creation date in the file is the event's start.
 */
export async function renderTicketPdf(ticket: PrintedTicket): Promise<Buffer> {
  const doc = openDocument(ticket)
  const token = ticket.status === 'void' ? null : ticket.qrToken

  if (token === null) doc.opacity(0.6)
  const tearY = drawHeadline(doc, ticket)
  drawDetails(doc, ticket, tearY)
  drawCode(doc, ticket.number, token, tearY)
  drawCard(doc, tearY)
  drawRules(doc, tearY, token === null ? RULES.void : RULES.valid)

  doc.end()
  return buffer(doc)
}

/** No default font: the built-in Helvetica has no Cyrillic and would only add weight. */
function openDocument({ number, title, startsAt }: PrintedTicket): Doc {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    lang: 'ru',
    displayTitle: true,
    font: '',
    info: {
      Title: `${LABELS.ticket.ru} ${number}: ${printable(title.ru)}`,
      CreationDate: startsAt,
    },
  })
  return registerFonts(doc)
}

/** Draws the top of the card and returns its bottom: a long title pushes the rest down. */
function drawHeadline(doc: Doc, ticket: PrintedTicket): number {
  drawEyebrow(doc, ticket)

  const [ru, ...others] = languagesOf(ticket.title)
  const box = { x: LEFT, y: CARD.top + mm(13), width: RIGHT - LEFT, height: mm(20.5) }
  let y = put(doc, ru, box, { font: 'bold', size: 26, smallest: 12 }) + mm(1)
  for (const other of others) {
    y = put(doc, other, { ...box, y, height: 20 }, { size: 10, smallest: 7.5, color: MUTED }) + 1
  }
  return Math.max(y + mm(4), CARD.top + mm(38))
}

function drawEyebrow(doc: Doc, { ageRating, status }: PrintedTicket) {
  if (ageRating) drawBadge(doc, ageRating, INK, 'right')
  if (status === 'used' || status === 'expired') {
    return drawBadge(doc, capitals(STAMPS[status]), RED, 'left')
  }
  const box = { x: LEFT, y: CARD.top + mm(6.8), width: mm(100), height: 10 }
  put(doc, capitals(LABELS.ticket), box, { size: 6.5, color: MUTED, tracking: 0.6 })
}

function drawBadge(doc: Doc, text: string, color: string, edge: 'left' | 'right') {
  const width = doc.font('bold').fontSize(9).widthOfString(printable(text)) + mm(5)
  const box = {
    x: edge === 'left' ? LEFT : RIGHT - width,
    y: CARD.top + mm(5),
    width,
    height: mm(6.4),
  }
  doc.roundedRect(box.x, box.y, box.width, box.height, mm(1.5)).lineWidth(1).stroke(color)
  put(doc, text, { ...box, y: box.y + 3.8 }, { font: 'bold', size: 9, color, align: 'center' })
}

/** The card's outline, with a notch on either side where the details tear off. */
function drawCard(doc: Doc, tearY: number) {
  const { left, right, top, notch } = CARD
  const bottom = tearY + DETAILS_HEIGHT
  const [upper, lower] = [tearY - notch, tearY + notch]
  const arc = (sweep: number, x: number, y: number) => `A${notch} ${notch} 0 0 ${sweep} ${x} ${y}`
  const outline = [
    `M${left + notch} ${top} H${right - notch} ${arc(1, right, top + notch)}`,
    `V${upper} ${arc(0, right, lower)} V${bottom - notch} ${arc(1, right - notch, bottom)}`,
    `H${left + notch} ${arc(1, left, bottom - notch)} V${lower} ${arc(0, left, upper)}`,
    `V${top + notch} ${arc(1, left + notch, top)} Z`,
  ]
  doc.path(outline.join(' ')).lineWidth(0.75).stroke(HAIRLINE)
  drawDashes(doc, left + mm(6), right - mm(6), tearY)
}

/** The QR code, or the stamp of a void ticket; below it the number and the check code, for typing. */
function drawCode(doc: Doc, number: string, token: string | null, top: number) {
  const square = { x: RIGHT + QR_QUIET - QR_SIDE, y: top + mm(4.5), side: QR_SIDE }
  const value = { font: 'bold', size: 11, smallest: 7, tabular: true } as const
  const left = square.x + QR_QUIET
  const line = { x: left, y: top + mm(77.5) + 10, width: RIGHT - left, height: 15 }
  const numberBox = { ...line, width: line.width - CODE_WIDTH }
  put(doc, number, numberBox, value)

  if (token === null) return drawVoidMark(doc, square)
  put(doc, checkCodeOf(token), line, { ...value, align: 'right' })
  const label = { ...line, y: line.y + 14, height: 8 }
  put(doc, joined(LABELS.checkCode), label, { size: 6, color: MUTED, align: 'right' })
  drawQr(doc, qrMatrix(token), square)
}

function drawVoidMark(doc: Doc, { x, y, side }: Square) {
  const inner = side - 2 * QR_QUIET
  doc
    .opacity(1)
    .roundedRect(x + QR_QUIET, y + QR_QUIET, inner, inner, mm(3))
    .fill(SHADE)

  const stamp = { x: x - mm(1.5), y: y + side / 2 - mm(15), width: side + mm(3), height: mm(30) }
  doc.save().rotate(-14, { origin: [x + side / 2, y + side / 2] })
  doc.roundedRect(stamp.x, stamp.y, stamp.width, stamp.height, mm(3)).lineWidth(3)
  doc.fillAndStroke('#ffffff', RED)
  const [ru, kk, en] = languagesOf(STAMPS.void).map((word) => word.toUpperCase())
  const ink = { font: 'bold', color: RED, align: 'center' } as const
  put(doc, ru, { ...stamp, y: stamp.y + mm(4) }, { ...ink, size: 25 })
  put(doc, `${kk} · ${en}`, { ...stamp, y: stamp.y + mm(17) }, { ...ink, size: 17 })
  doc.restore()
}

const HALF_PAGE = mm(148.5)

/** Below the fold: half the page, or lower when a long title has made the card taller. */
export function drawRules(doc: Doc, tearY: number, rules: typeof RULES.valid) {
  const foldY = Math.max(HALF_PAGE, tearY + DETAILS_HEIGHT + mm(4))
  const gap = mm(9)
  const width = (CARD.right - CARD.left - 2 * gap) / 3
  drawFold(doc, foldY)
  for (const [column, language] of LANGUAGES.entries()) {
    const box = { x: CARD.left + column * (width + gap), y: foldY + mm(13), width, height: mm(60) }
    const ink = { size: 8.5, color: MUTED, lineGap: 2.5 }
    put(doc, rules.heading[language], box, { font: 'bold', size: 11 })
    const below = put(doc, rules[language], { ...box, y: box.y + 20 }, ink)
    put(doc, RULES.help[language], { ...box, y: below + 5 }, ink)
  }
}

function drawFold(doc: Doc, y: number) {
  drawDashes(doc, 0, doc.page.width, y)
  const box = { x: CARD.left, y: y + 3, width: CARD.right - CARD.left, height: 8 }
  put(doc, joined(LABELS.fold), box, { size: 5.5, color: MUTED, align: 'center' })
}
