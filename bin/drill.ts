import { parseArgs } from 'node:util'
import { composeDrill } from '../dev/drills/compose/compose_drill.ts'
import { faultsDrill } from '../dev/drills/faults/faults_drill.ts'
import { haDrill } from '../dev/drills/ha/ha_drill.ts'
import { processesDrill } from '../dev/drills/processes/processes_drill.ts'
import { upgradeDrill } from '../dev/drills/upgrade/upgrade_drill.ts'
import { DrillReport, DrillStopped } from '../dev/drills/drill_report.ts'
import { runProgram } from '../dev/run_program.ts'
import { StartUpError } from '../dev/start_up_error.ts'

interface Options {
  /** Breaks each thing once, in under two minutes. */
  isShort: boolean
  /** Of the drill of processes: how often something is killed, and how much is sold at least. */
  kills?: number
  sales?: number
}

type Drill = (report: DrillReport, cleanup: AsyncDisposableStack, options: Options) => Promise<void>

const DRILLS = new Map<string, Drill>([
  ['processes', processesDrill],
  ['upgrade', upgradeDrill],
  ['faults', faultsDrill],
  ['ha', haDrill],
  ['compose', composeDrill],
])
const WITH_SHORT_FORM = ['processes']

/** `npm run drill -- faults` runs a drill, prints its table and ends with 1 when anything in it is violated; without a name, all. */
await runProgram(async (cleanup) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      kills: { type: 'string' },
      sales: { type: 'string' },
    },
  })
  const names = positionals.length > 0 ? positionals : [...DRILLS.keys()]
  const unknown = names.find((name) => !DRILLS.has(name))
  if (unknown !== undefined) {
    throw new StartUpError(
      `There is no drill ${unknown}: npm run drill -- ${[...DRILLS.keys()].join(' or ')}`
    )
  }
  const without = values.short && names.find((name) => !WITH_SHORT_FORM.includes(name))
  if (without) throw new StartUpError(`The drill ${without} has no short form`)
  const options = {
    isShort: values.short,
    kills: countOf('kills', values.kills),
    sales: countOf('sales', values.sales),
  }
  const report = new DrillReport()
  try {
    for (const name of names) await runOne(name, report, cleanup, options)
  } finally {
    report.print()
  }
  return report.exitCode
})

function countOf(option: string, given: string | undefined) {
  if (given === undefined) return undefined
  if (/^[1-9]\d{0,6}$/.test(given)) return Number(given)
  throw new StartUpError(`--${option}=${given} is not a number above 0`)
}

/** Each stops what it has started before the next one starts. */
async function runOne(
  name: string,
  report: DrillReport,
  cleanup: AsyncDisposableStack,
  options: Options
) {
  const own = new AsyncDisposableStack()
  // A stop that comes while it is cleaning up waits for it.
  let disposal: Promise<void> | undefined
  const dispose = () => (disposal ??= own.disposeAsync())
  cleanup.defer(dispose)
  report.begin(name)
  try {
    await DRILLS.get(name)!(report, own, options)
  } catch (error) {
    // The reason is a row; the other drills can still be run.
    if (!(error instanceof DrillStopped)) throw error
  } finally {
    await dispose()
  }
}
