import { readHallPlan, type HallPlan } from '#catalog/hall_plan'
import { inspectSeatList, type SeatLine, type SeatProblem } from '#catalog/seat_list'
import { Refusal, type FieldProblem } from '#shared/refusals'
import { Worker } from 'node:worker_threads'

/** The two files of a hall. */
export interface HallFiles {
  planSvg: string
  seatsCsv: string
}

/** The content of a hall's files, and every problem in them. */
export interface HallReading {
  plan: HallPlan | null
  planProblem: FieldProblem | null
  seats: SeatLine[]
  problems: SeatProblem[]
  /** Ids of listed seats that no element of the plan has. */
  undrawn: string[]
}

/**
 * Reads the plan and the seat list of a hall, and compares them.
 *
 *     plan        <g id="sector-a"><circle id="seat-1"/><circle id="seat-2"/></g>
 *     seat list   seat-1,sector-a,…,standard
 *                 seat-3,sector-a,…,standard
 *                 seat-3,sector-a,…,gold
 *     problems    line 4: category_code is none of ours; line 4: seat-3 is listed twice
 *     undrawn     seat-3, seat-3
 */
export function readHall({ planSvg, seatsCsv }: HallFiles): HallReading {
  const { plan, planProblem } = tryReadPlan(planSvg)
  const { seats, problems } = inspectSeatList(seatsCsv)
  const ids = seats.map((seat) => seat.space_id)
  return {
    plan,
    planProblem,
    seats,
    problems,
    undrawn: ids.filter((id) => !(plan?.ids.has(id) ?? true)),
  }
}

function tryReadPlan(source: string) {
  try {
    return { plan: readHallPlan(source), planProblem: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const [problem] = error.details.fields as FieldProblem[]
    return { plan: null, planProblem: problem }
  }
}

/** Files of this size and more are read in a worker thread, so that no sale waits for them. */
const LARGE_CHARACTERS = 200_000
// By the path: the development server appends a query to the URL.
const IS_SOURCE = new URL(import.meta.url).pathname.endsWith('.ts')
const THREAD = new URL(
  IS_SOURCE ? './read_hall_thread.ts' : './read_hall_thread.js',
  import.meta.url
)

/** `readHall`, on a thread of its own when the files are large. */
export async function readHallInBackground(files: HallFiles): Promise<HallReading> {
  if (files.planSvg.length + files.seatsCsv.length < LARGE_CHARACTERS) return readHall(files)
  const execArgv = IS_SOURCE ? ['--import=@poppinss/ts-exec'] : []
  const worker = new Worker(THREAD, { workerData: files, execArgv })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
