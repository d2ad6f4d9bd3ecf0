import { HAIRLINE, type Doc } from '#tickets/pdf/drawing'

export const mm = (millimetres: number) => (millimetres * 72) / 25.4

export const CARD = { left: mm(12), right: mm(198), top: mm(8), notch: mm(3) }
export const LEFT = CARD.left + mm(10)
export const RIGHT = CARD.right - mm(10)
export const DETAILS_WIDTH = mm(85)
export const DETAILS_HEIGHT = mm(92)

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
