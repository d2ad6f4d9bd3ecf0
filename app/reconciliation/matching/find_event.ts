import { plainText } from '#reconciliation/reading/raw_row'

export interface PartnerEvent {
  id: string
  /** In every language. */
  titles: string[]
}

/** Finds an event's id by its id or by a title that no other event of the partner has; null otherwise. */
export function eventFinder(events: readonly PartnerEvent[]) {
  const found = new Map<string, string | null>()
  const words = (text: string) => plainText(text).toLowerCase()
  for (const { id, titles } of events) {
    for (const title of new Set(titles.map(words))) found.set(title, found.has(title) ? null : id)
    found.set(words(id), id)
  }
  return (text: string) => found.get(words(text)) ?? null
}
