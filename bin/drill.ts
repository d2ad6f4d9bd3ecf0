import { composeDrill } from '../dev/drills/compose/compose_drill.ts'
import { type Drill, runDrill } from '../dev/drills/drill.ts'
import { readDrillArguments } from '../dev/drills/drill_arguments.ts'
import { DrillReport } from '../dev/drills/drill_report.ts'
import { faultsDrill } from '../dev/drills/faults/faults_drill.ts'
import { haDrill } from '../dev/drills/ha/ha_drill.ts'
import { moveDrill } from '../dev/drills/ha/move_drill.ts'
import { processesDrill } from '../dev/drills/processes/processes_drill.ts'
import { restartDrill } from '../dev/drills/restart/restart_drill.ts'
import { upgradeDrill } from '../dev/drills/upgrade/upgrade_drill.ts'
import { runProgram } from '../dev/run_program.ts'

const DRILLS = new Map<string, Drill>([
  ['processes', processesDrill],
  ['upgrade', upgradeDrill],
  ['restart', restartDrill],
  ['faults', faultsDrill],
  ['ha', haDrill],
  ['move', moveDrill],
  ['compose', composeDrill],
])

/** `npm run drill -- faults` runs a drill, prints its table and ends with 1 when anything in it is violated; without a name, all. */
await runProgram(async (cleanup) => {
  const { names, options } = readDrillArguments(process.argv.slice(2), DRILLS)
  const report = new DrillReport()
  try {
    for (const name of names) await runDrill(name, DRILLS.get(name)!, report, cleanup, options)
  } finally {
    report.print()
  }
  return report.exitCode
})
