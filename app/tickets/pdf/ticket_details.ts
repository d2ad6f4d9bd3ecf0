import type { PrintedTicket } from '#tickets/pdf/printed_ticket'
import {
  DETAILS_WIDTH,
  LEFT,
  MUTED,
  drawHairline,
  mm,
  put,
  putField,
  type Doc,
} from '#tickets/pdf/drawing'
import { CLOCK, DATES, LABELS, languagesOf, sentence, tenge } from '#tickets/pdf/ticket_words'
import type { Language } from '#shared/languages'

/** Draws date, place, seat and price. */
export function drawDetails(doc: Doc, ticket: PrintedTicket, top: number) {
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
