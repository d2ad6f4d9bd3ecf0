import { readHallPlan, type HallPlan } from '#catalog/hall_plan'
import { inspectSeatList, type SeatLine, type SeatProblem } from '#catalog/seat_list'
import { Refusal, type FieldProblem } from '#shared/refusals'
import { Worker } from 'node:worker_threads'

/** The two files of a hall. */
export interface HallFiles {
  planSvg: string
  seatsCsv: string
}

/** What a hall's files say, and everything that is wrong with them. */
export interface HallReading {
  plan: HallPlan | null
  planProblem: FieldProblem | null
  seats: SeatLine[]
  problems: SeatProblem[]
  /** Seats that are no element of the plan. */
  undrawn: string[]
}

export function readHall({ planSvg, seatsCsv }: HallFiles): HallReading {
  const { plan, planProblem } = tryPlan(planSvg)
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

function tryPlan(source: string) {
  try {
    return { plan: readHallPlan(source), planProblem: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const [problem] = error.details.fields as FieldProblem[]
    return { plan: null, planProblem: problem }
  }
}

/** Larger files take long to read: on a thread of their own they keep no sale waiting. */
const SMALL = 200_000
// By the path: a development server puts a query behind it.
const IS_SOURCE = new URL(import.meta.url).pathname.endsWith('.ts')
const READER = new URL(IS_SOURCE ? './hall_reader.ts' : './hall_reader.js', import.meta.url)

export async function readHallApart(files: HallFiles): Promise<HallReading> {
  if (files.planSvg.length + files.seatsCsv.length < SMALL) return readHall(files)
  const execArgv = IS_SOURCE ? ['--import=@poppinss/ts-exec'] : []
  const worker = new Worker(READER, { workerData: files, execArgv })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
