import type { HallPreview } from '#back_office/halls/halls_props'

export const isGood = ({ planProblem, twin, problems, undrawn }: HallPreview) =>
  planProblem === null && twin === null && problems.length === 0 && undrawn.count === 0
