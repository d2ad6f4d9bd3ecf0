import { joined, printable, type PrintedText } from '#tickets/pdf/ticket_words'

export type Doc = PDFKit.PDFDocument
type TextOptions = PDFKit.Mixins.TextOptions

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Ink {
  font?: 'regular' | 'bold'
  /** Text too long for its box shrinks from `size` to `smallest`, then ends in an ellipsis. */
  size: number
  smallest?: number
  color?: string
  align?: 'left' | 'center' | 'right'
  tracking?: number
  lineGap?: number
  tabular?: boolean
}

export const mm = (millimetres: number) => (millimetres * 72) / 25.4

export const CARD = { left: mm(12), right: mm(198), top: mm(8), notch: mm(3) }
export const LEFT = CARD.left + mm(10)
export const RIGHT = CARD.right - mm(10)
export const DETAILS_WIDTH = mm(85)
export const DETAILS_HEIGHT = mm(92)

export const INK = '#11161c'
export const MUTED = '#5b6570'
export const HAIRLINE = '#cfd5dc'
export const SHADE = '#f3f5f7'
export const RED = '#c4162a'

export function putField(doc: Doc, label: PrintedText, value: string, box: Box, ink: Ink) {
  put(doc, joined(label), { ...box, height: 9 }, { size: 6.5, smallest: 5, color: MUTED })
  put(doc, printable(value) || '—', { ...box, y: box.y + 10 }, ink)
}

/** Sets text in a box it never leaves, and returns the y below it. */
export function put(doc: Doc, text: string, box: Box, ink: Ink): number {
  const clean = printable(text)
  if (clean === '') return box.y

  const options = {
    width: box.width,
    align: ink.align,
    lineGap: ink.lineGap ?? 0,
    characterSpacing: ink.tracking ?? 0,
    features: ink.tabular ? ['tnum' as const] : undefined,
  }
  doc.font(ink.font ?? 'regular').fillColor(ink.color ?? INK)
  doc.fontSize(fittingSize(doc, clean, box, ink, options))
  doc.text(clean, box.x, box.y, { ...options, height: box.height, ellipsis: true })
  return doc.y
}

/** The largest size at which the text fits its box and no word is broken. */
function fittingSize(doc: Doc, text: string, box: Box, ink: Ink, options: TextOptions): number {
  const words = text.split(/(?<= )/)
  for (let size = ink.size; size > (ink.smallest ?? ink.size); size -= 0.5) {
    doc.fontSize(size)
    const isWhole = words.every((word) => doc.widthOfString(word, options) <= box.width)
    if (isWhole && doc.heightOfString(text, options) <= box.height) return size
  }
  return ink.smallest ?? ink.size
}

export function drawHairline(doc: Doc, y: number) {
  doc
    .moveTo(LEFT, y)
    .lineTo(LEFT + DETAILS_WIDTH, y)
    .lineWidth(0.5)
    .stroke(HAIRLINE)
}

export function drawDashes(doc: Doc, from: number, to: number, y: number) {
  doc.moveTo(from, y).lineTo(to, y).lineWidth(0.75).dash(3, { space: 3 }).stroke(HAIRLINE).undash()
}
