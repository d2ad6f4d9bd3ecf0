import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { drawQr, qrMatrix, type Square } from '#tickets/ticket_qr'
import {
  HAIRLINE,
  INK,
  MUTED,
  RED,
  SHADE,
  put,
  putField,
  type Doc,
} from '#tickets/ticket_typography'
import {
  CLOCK,
  DATES,
  LABELS,
  LANGUAGES,
  RULES,
  STAMPS,
  capitals,
  joined,
  languagesOf,
  printable,
  sentence,
  tenge,
  type Language,
  type PrintedText,
} from '#tickets/ticket_words'

/** All that is printed on a ticket; nothing about the buyer. */
export interface PrintedTicket {
  number: string
  status: 'active' | 'used' | 'void' | 'expired'
  title: PrintedText
  venueName: PrintedText
  hallName: PrintedText
  sectorName: PrintedText
  rowLabel: string
  seatLabel: string
  startsAt: Date
  ageRating: string | null
  priceTenge: bigint
  qrToken: string | null
  orderId: string
}

/** The compiled file keeps its place under the application root, so the path holds in a build. */
const FONTS = new URL('../../resources/tickets/fonts/', import.meta.url)
const REGULAR = readFileSync(new URL('GolosText-Regular.ttf', FONTS))
const BOLD = readFileSync(new URL('GolosText-Bold.ttf', FONTS))

const mm = (millimetres: number) => (millimetres * 72) / 25.4

const CARD = { left: mm(12), right: mm(198), top: mm(8), notch: mm(3) }
const LEFT = CARD.left + mm(10)
const RIGHT = CARD.right - mm(10)
const DETAILS_WIDTH = mm(85)
const DETAILS_HEIGHT = mm(89)
/** With the quiet zone; a version 18 symbol itself is 70.6 mm wide, 0.79 mm a module. */
const QR_SIDE = mm(77)
const QR_QUIET = mm(3.2)
const HALF_PAGE = mm(148.5)

/**
 * One A4 page: the ticket above the fold line, the rules below it, in three languages.
 * A voided ticket says so and has no QR, whatever token is given; a null token means the same
 * (partner-api.md, Ticket). The same ticket gives the same bytes: the creation date printed into
 * the file is the event's start.
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
  return doc.registerFont('regular', REGULAR).registerFont('bold', BOLD)
}

/** Draws the top of the card and returns where it ends: a long title pushes the rest down. */
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

function drawDetails(doc: Doc, ticket: PrintedTicket, top: number) {
  drawMoment(doc, ticket.startsAt, top + mm(5.5))
  drawHairline(doc, top + mm(30.5))
  drawPlace(doc, ticket, top + mm(33.5))
  drawHairline(doc, top + mm(54))
  drawSeat(doc, ticket, top + mm(57))
  drawHairline(doc, top + mm(74.5))
  drawPurchase(doc, ticket, top + mm(77.5))
}

function drawMoment(doc: Doc, startsAt: Date, y: number) {
  const [ru, ...others] = DATES.map((format) => format.format(startsAt))
  const box = { x: LEFT, y, width: DETAILS_WIDTH, height: 18 }
  put(doc, sentence(ru), box, { font: 'bold', size: 13, smallest: 10 })
  put(doc, others.join(' · '), { ...box, y: y + 18 }, { size: 8, smallest: 6.5, color: MUTED })

  const time = CLOCK.format(startsAt)
  put(doc, time, { ...box, y: y + 29, height: 42 }, { font: 'bold', size: 34, tabular: true })
  const x = LEFT + doc.widthOfString(time, { features: ['tnum'] }) + mm(2)
  put(doc, 'UTC+5', { ...box, x, y: y + 50.5, width: mm(20) }, { size: 12, color: MUTED })
}

function drawPlace(doc: Doc, { venueName, hallName }: PrintedTicket, y: number) {
  const box = { x: LEFT, y, width: DETAILS_WIDTH, height: 23 }
  let below = put(doc, venueName.ru, box, { font: 'bold', size: 12, smallest: 8 }) + 1
  below = put(doc, hallName.ru, { ...box, y: below, height: 12 }, { size: 9, smallest: 7 })

  const place = (language: Language) =>
    [venueName, hallName].map((name) => name[language] || name.ru).join(', ')
  const others = languagesOf({ ru: place('ru'), kk: place('kk'), en: place('en') }).slice(1)
  for (const other of others) {
    const ink = { size: 7.5, smallest: 6, color: MUTED }
    below = put(doc, other, { ...box, y: below, height: 10 }, ink)
  }
}

function drawSeat(doc: Doc, { sectorName, rowLabel, seatLabel }: PrintedTicket, y: number) {
  const value = { font: 'bold', size: 23, smallest: 6.5 } as const
  const sector = { x: LEFT, y, width: mm(37), height: 30 }
  const [ru, ...others] = languagesOf(sectorName)
  putField(doc, LABELS.sector, ru, sector, value)
  const below = { ...sector, y: y + 39, height: 9 }
  put(doc, others.join(' · '), below, { size: 7, smallest: 5, color: MUTED })

  const row = { ...sector, x: LEFT + mm(39), width: mm(22) }
  putField(doc, LABELS.row, rowLabel, row, value)
  putField(doc, LABELS.seat, seatLabel, { ...row, x: LEFT + mm(63) }, value)
}

function drawPurchase(doc: Doc, { priceTenge, orderId }: PrintedTicket, y: number) {
  const value = { font: 'bold', size: 11, smallest: 6, tabular: true } as const
  const box = { x: LEFT, y, width: mm(37), height: 15 }
  putField(doc, LABELS.price, tenge(priceTenge), box, value)
  putField(doc, LABELS.order, orderId, { ...box, x: LEFT + mm(39), width: mm(46) }, value)
}

/** The QR, or the mark of a voided ticket in its place, and the number below either. */
function drawCode(doc: Doc, number: string, token: string | null, top: number) {
  const square = { x: RIGHT + QR_QUIET - QR_SIDE, y: top + mm(4.5), side: QR_SIDE }
  const box = { x: square.x, y: top + mm(77.5) + 10, width: QR_SIDE, height: 15 }
  put(doc, number, box, { font: 'bold', size: 11, smallest: 7, align: 'center', tabular: true })

  if (token === null) drawVoidMark(doc, square)
  else drawQr(doc, qrMatrix(token), square)
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

/** Below the fold: half the page, or lower when a long title has made the card taller. */
function drawRules(doc: Doc, tearY: number, rules: typeof RULES.valid) {
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

function drawHairline(doc: Doc, y: number) {
  doc
    .moveTo(LEFT, y)
    .lineTo(LEFT + DETAILS_WIDTH, y)
    .lineWidth(0.5)
    .stroke(HAIRLINE)
}

function drawDashes(doc: Doc, from: number, to: number, y: number) {
  doc.moveTo(from, y).lineTo(to, y).lineWidth(0.75).dash(3, { space: 3 }).stroke(HAIRLINE).undash()
}
