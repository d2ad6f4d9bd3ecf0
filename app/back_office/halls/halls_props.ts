import type { LocalizedText } from '#shared/localized_text'

export interface HallLine {
  id: number
  name: LocalizedText
  venue: LocalizedText
  planDigest: string | null
  createdAt: string
  sectors: number
  seats: number
  events: number
}

export interface HallsPage {
  halls: HallLine[]
}

/** One kind of mistake in the list of seats. */
export interface ProblemGroup {
  column: string
  rule: string
  count: number
  /** The first lines that have it. */
  lines: number[]
  message: string
}

/** What the files of a hall contain, before they are imported. */
export interface HallPreview {
  planProblem: string | null
  /** A hall that has the very same plan. */
  twin: number | null
  problems: ProblemGroup[]
  /** Seats that the plan does not draw: how many, and the first of them. */
  undrawn: { count: number; ids: string[] }
  counts: {
    sectors: number
    rows: number
    seats: number
    categories: { code: string; seats: number }[]
  }
}

export interface NewHallPage {
  venues: { id: string; name: LocalizedText }[]
  /** The largest files in bytes. */
  limits: Record<'plan' | 'seats', number>
  /** Of the files that were checked last. */
  preview: HallPreview | null
}
