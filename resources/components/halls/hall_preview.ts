/** What the server found in a hall's files. */
export interface HallPreview {
  planProblem: string | null
  /** A hall with the very same plan. */
  twin: number | null
  problems: { column: string; rule: string; count: number; lines: number[]; message: string }[]
  undrawn: { count: number; ids: string[] }
  counts: {
    sectors: number
    rows: number
    seats: number
    categories: { code: string; seats: number }[]
  }
}

export const isGood = ({ planProblem, twin, problems, undrawn }: HallPreview) =>
  planProblem === null && twin === null && problems.length === 0 && undrawn.count === 0
