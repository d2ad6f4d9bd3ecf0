import { composeDrill } from '../dev/drills/compose/compose_drill.ts'
import { processesDrill } from '../dev/drills/processes/processes_drill.ts'
import { DrillReport } from '../dev/drills/drill_report.ts'
import { runProgram } from '../dev/run_program.ts'
import { StartUpError } from '../dev/start_up_error.ts'

const DRILLS = new Map([
  ['compose', composeDrill],
  ['processes', processesDrill],
])

/** `npm run drill -- compose` runs a drill, prints its table and ends with 1 when anything in it is violated. */
await runProgram(async (cleanup) => {
  const [name] = process.argv.slice(2)
  const drill = DRILLS.get(name)
  if (!drill) {
    throw new StartUpError(`Name a drill: npm run drill -- ${[...DRILLS.keys()].join(' or ')}`)
  }
  const report = new DrillReport(name)
  try {
    await drill(report, cleanup)
  } finally {
    report.print()
  }
  return report.exitCode
})
