import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Judge } from '../judge/types.ts'
import { checkJudgeTypes, installJudgePackages } from '../dev/judge_packages.ts'
import { printVerdicts } from '../dev/judge_report.ts'
import { runJudges } from '../dev/judge_runs.ts'
import { describeSite, raiseJudgedProduct } from '../dev/judged_product.ts'
import { say } from '../dev/output.ts'
import { judgeDirectory } from '../dev/paths.ts'
import { runToTheEnd } from '../dev/run_to_the_end.ts'
import { ephemeralDirectory, removeServices } from '../dev/start_services.ts'
import { StartUpError } from '../dev/start_up_error.ts'
import { Supervisor } from '../dev/supervisor.ts'

/** `npm run judge` runs all judges, `npm run judge -- spectral` one; `--types` checks their sources only. */
await runToTheEnd(async (cleanup) => {
  const args = process.argv.slice(2)
  const directory = await ephemeralDirectory()
  const supervisor = new Supervisor(directory)
  cleanup.defer(() => removeServices(directory))
  cleanup.defer(() => supervisor.stop())

  await installJudgePackages(supervisor)
  if (args[0] === '--types') return checkJudgeTypes(supervisor)

  const judges = await loadJudges(args)
  const needsProduct = judges.some(({ needs }) => needs === 'product')
  const site = needsProduct
    ? await raiseJudgedProduct(supervisor, directory)
    : describeSite(directory)
  say(`Judging: ${judges.map(({ name }) => name).join(', ')}`)
  const outcomes = await runJudges({ supervisor, directory, site, judges })
  return printVerdicts(outcomes)
})

async function loadJudges(wanted: string[]): Promise<Judge[]> {
  const files = await readdir(join(judgeDirectory, 'judges'))
  const names = files.filter((file) => file.endsWith('.ts')).map((file) => file.slice(0, -3))
  const stranger = wanted.find((name) => !names.includes(name))
  if (stranger) {
    throw new StartUpError(`There is no judge ${stranger}; there are ${names.sort().join(', ')}.`)
  }
  const chosen = names.filter((name) => wanted.length === 0 || wanted.includes(name)).sort()
  return Promise.all(chosen.map(loadJudge))
}

async function loadJudge(name: string): Promise<Judge> {
  // A path that the compiler doesn't follow: the judges' packages are not the project's.
  const file: string = join(judgeDirectory, 'judges', `${name}.ts`)
  const { default: judge } = (await import(file)) as { default: Judge }
  return judge
}
