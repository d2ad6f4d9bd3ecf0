import type { Document } from '#workbooks/document'
import type { Words } from '#workbooks/words/words'

const dayFirst = (day: string) => day.split('-').reverse().join('.')

/** `№ Д-17 от 15.01.2026`; empty while there is no contract. */
export function contractOf({ terms }: Document, words: Words) {
  if (!terms.contractNumber) return null
  const dated = terms.contractDate ? ` ${words.from} ${dayFirst(terms.contractDate)}` : ''
  return `№ ${terms.contractNumber}${dated}`
}
