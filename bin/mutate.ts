import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAssets } from '../dev/application.ts'
import { testVariables } from '../dev/environment.ts'
import { CoverageMap } from '../dev/mutation/coverage.ts'
import { loadMutants, pathOf, type Mutant } from '../dev/mutation/mutant.ts'
import { report } from '../dev/mutation/report.ts'
import { runMutants } from '../dev/mutation/run_mutants.ts'
import { survey } from '../dev/mutation/survey.ts'
import { copyProject } from '../dev/mutation/working_copy.ts'
import { mutationLogs } from '../dev/paths.ts'
import { freePort } from '../dev/ports.ts'
import { runProgram } from '../dev/run_program.ts'
import { createEphemeralDirectory, removeServices, startServices } from '../dev/start_services.ts'
import { StartUpError } from '../dev/start_up_error.ts'
import { Supervisor } from '../dev/supervisor.ts'

/**
 * `npm run mutate` runs all mutants of tests/mutants, `npm run mutate -- app/sales` those whose path or name has this text;
 * `--survey=200 --seed=1` runs so many that nobody has chosen, of all files or of those whose path has the text.
 */
await runProgram(async (cleanup) => {
  const { values, positionals: wanted } = parseArgs({
    options: { survey: { type: 'string' }, seed: { type: 'string', default: '1' } },
    allowPositionals: true,
  })
  const mutants = values.survey
    ? survey(
        { count: Number(values.survey), seed: Number(values.seed), wanted },
        CoverageMap.read()
      )
    : chosen(await loadMutants(), wanted)
  if (mutants.length === 0) throw new StartUpError(`No mutant's path or name has ${wanted}.`)

  const directory = await createEphemeralDirectory()
  const supervisor = new Supervisor(directory)
  cleanup.defer(() => removeServices(directory))
  cleanup.defer(() => supervisor.stop())
  const services = await startServices({ directory, ephemeral: true, supervisor })
  const env = testVariables(services, directory, await freePort())
  await buildAssets(supervisor, env)
  const copy = join(directory, 'copy')
  copyProject(copy)
  rmSync(mutationLogs, { recursive: true, force: true })
  mkdirSync(mutationLogs, { recursive: true })
  return report(await runMutants({ supervisor, copy, logs: mutationLogs, env }, mutants))
})

function chosen(mutants: Mutant[], wanted: string[]) {
  return mutants.filter((mutant) => {
    const texts = [pathOf(mutant), mutant.name]
    return wanted.length === 0 || wanted.some((each) => texts.some((text) => text.includes(each)))
  })
}
