/** Something that wants a person's hand; the page says it in words and leads to where it can be looked at. */
export interface Attention {
  kind: string
  count: number
  /** What the words name: partners, events, jobs. */
  names: string[]
  /** Names that are left out. */
  more: number
}

const MOST_NAMES = 5

export const told = (kind: string, names: string[], count = names.length): Attention => ({
  ...{ kind, count, names: names.slice(0, MOST_NAMES) },
  more: Math.max(0, names.length - MOST_NAMES),
})
