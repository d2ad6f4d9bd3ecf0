import type { HallPreview, ProblemGroup } from '#back_office/halls/halls_props'
import { findHallByPlan } from '#catalog/actions/import_hall'
import { readHallInBackground, type HallFiles, type HallReading } from '#catalog/read_hall'
import type { SeatLine } from '#catalog/seat_list'

const MOST_LINES = 20
const MOST_GROUPS = 20

/** Reads the files and returns what would be imported, or the problems that prevent it. */
export async function previewHall(files: HallFiles): Promise<HallPreview> {
  const reading = await readHallInBackground(files)
  const { plan, planProblem, seats, undrawn } = reading
  const twin = plan && (await findHallByPlan.first({ digest: plan.digest }))
  return {
    planProblem: planProblem?.rule ?? null,
    twin: twin?.id ?? null,
    problems: groupProblems(reading),
    undrawn: { count: undrawn.length, ids: undrawn.slice(0, MOST_LINES) },
    counts: countsOf(seats),
  }
}

/** Groups the same mistake in many lines. */
function groupProblems({ problems }: HallReading): ProblemGroup[] {
  const groups = new Map<string, ProblemGroup>()
  for (const { line, column, rule, message } of problems) {
    const key = `${rule} ${column}`
    const group = groups.get(key) ?? { column, rule, count: 0, lines: [], message }
    group.count += 1
    if (line !== null && group.lines.length < MOST_LINES) group.lines.push(line)
    groups.set(key, group)
  }
  return [...groups.values()].slice(0, MOST_GROUPS)
}

function countsOf(seats: SeatLine[]) {
  const categories = Object.entries(Object.groupBy(seats, (seat) => seat.category_code))
  return {
    sectors: new Set(seats.map((seat) => seat.sector_id)).size,
    rows: new Set(seats.map((seat) => `${seat.sector_id} ${seat.row_id}`)).size,
    seats: seats.length,
    categories: categories.map(([code, ofCode]) => ({ code, seats: ofCode!.length })),
  }
}
