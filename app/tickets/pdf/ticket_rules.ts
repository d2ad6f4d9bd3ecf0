import { CARD, DETAILS_HEIGHT, drawDashes, mm } from '#tickets/pdf/ticket_layout'
import { MUTED, put, type Doc } from '#tickets/pdf/drawing'
import { LABELS, RULES, joined } from '#tickets/pdf/ticket_words'
import { LANGUAGES } from '#shared/languages'

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
