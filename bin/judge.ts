import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Judge } from '../judge/types.ts'
import {
  checkJudgeTypes,
  installJudgePackages,
  printResults,
  runJudges,
} from '../dev/judge_runs.ts'
import { siteWithoutServer, startJudgedProduct } from '../dev/judged_product.ts'
import { log } from '../dev/output.ts'
import { judgeDirectory } from '../dev/paths.ts'
import { runProgram } from '../dev/run_program.ts'
import { createEphemeralDirectory, removeServices } from '../dev/start_services.ts'
import { StartUpError } from '../dev/start_up_error.ts'
import { Supervisor } from '../dev/supervisor.ts'

/** `npm run judge` runs all judges, `npm run judge -- spectral` one, and `npm run judge:types` checks their types. */
await runProgram(async (cleanup) => {
  const args = process.argv.slice(2)
  const directory = await createEphemeralDirectory()
  const supervisor = new Supervisor(directory)
  cleanup.defer(() => removeServices(directory))
  cleanup.defer(() => supervisor.stop())

  await installJudgePackages(supervisor)
  if (args[0] === '--types') return checkJudgeTypes(supervisor)

  const judges = await loadJudges(args)
  const needsProduct = judges.some(({ needs }) => needs === 'product')
  const site = needsProduct
    ? await startJudgedProduct(supervisor, directory)
    : siteWithoutServer(directory)
  log(`Running judges: ${judges.map(({ name }) => name).join(', ')}`)
  const results = await runJudges({ supervisor, directory, site, judges })
  return printResults(results)
})

async function loadJudges(wanted: string[]): Promise<Judge[]> {
  const files = await readdir(join(judgeDirectory, 'judges'))
  const names = files.filter((file) => file.endsWith('.ts')).map((file) => file.slice(0, -3))
  const unknownName = wanted.find((name) => !names.includes(name))
  if (unknownName) {
    throw new StartUpError(
      `There is no judge ${unknownName}; there are ${names.sort().join(', ')}.`
    )
  }
  const chosen = names.filter((name) => wanted.length === 0 || wanted.includes(name)).sort()
  return Promise.all(chosen.map(loadJudge))
}

async function loadJudge(name: string): Promise<Judge> {
  // A string, which the compiler doesn't follow: the judges' packages are not installed with the project.
  const file: string = join(judgeDirectory, 'judges', `${name}.ts`)
  const { default: judge } = (await import(file)) as { default: Judge }
  return judge
}
