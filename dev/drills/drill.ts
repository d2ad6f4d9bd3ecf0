import { existsSync } from 'node:fs'
import { poll } from '../poll.ts'
import { createEphemeralDirectory, removeServices } from '../start_services.ts'
import { type DrillReport, DrillStopped, seen } from './drill_report.ts'
import { machineState, processesOf } from './machine_state.ts'

/** Options of the command line that some drills have. */
export interface DrillOptions {
  /** Breaks each thing once, in under two minutes. */
  short?: boolean
  /** How often something is killed, if not as usual. */
  kills?: number
  /** Sales that are answered at least, spread evenly over the kills. */
  sales?: number
}

export interface DrillContext {
  report: DrillReport
  /** Ends what the drill has started, however the drill ends. */
  cleanup: AsyncDisposableStack
  /** All that the drill writes is below it. */
  directory: string
  options: DrillOptions
}

export interface Drill {
  run(context: DrillContext): Promise<void>
  /** Those that mean something to it. */
  options?: readonly (keyof DrillOptions)[]
  /** Stays after the drill; by default it has one of its own, which is removed. */
  keptDirectory?: string
}

const ENDED_WITHIN_MS = 5_000

/** Runs a drill and ends what it has started before the next one starts. The last row says what is left of it on the machine. */
export async function runDrill(
  name: string,
  { run, keptDirectory }: Drill,
  report: DrillReport,
  cleanup: AsyncDisposableStack,
  options: DrillOptions
) {
  report.begin(name)
  const before = machineState()
  const directory = keptDirectory ?? (await createEphemeralDirectory())
  const own = new AsyncDisposableStack()
  if (!keptDirectory) own.defer(() => removeServices(directory))
  const end = async () => {
    try {
      await own.disposeAsync()
    } finally {
      await report.check('nothing of the drill is left on the machine', async () => {
        const find = () => whatIsLeft(before, directory, keptDirectory !== undefined)
        await poll(() => find().length === 0, { withinMs: ENDED_WITHIN_MS })
        const left = find()
        const none = 'no process, mount, network namespace, interface or file'
        return seen(left.length === 0 ? none : left.join('; '), left.length === 0)
      })
    }
  }
  // A stop that comes while it is cleaning up waits for it.
  let ending: Promise<void> | undefined
  const endOnce = () => (ending ??= end())
  cleanup.defer(endOnce)
  try {
    await run({ report, cleanup: own, directory, options })
  } catch (error) {
    // The reason is a row; the other drills can still be run.
    if (!(error instanceof DrillStopped)) throw error
  } finally {
    await endOnce()
  }
}

function whatIsLeft(before: string[], directory: string, isKept: boolean) {
  const added = machineState().filter((each) => !before.includes(each))
  const files = !isKept && existsSync(directory) ? [`directory ${directory}`] : []
  return [...processesOf(directory), ...added, ...files]
}
