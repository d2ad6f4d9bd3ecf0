import { buildAssets } from './services/assets.ts'
import { ace } from './services/application.ts'
import { findOrInstallChromium } from './services/chromium.ts'
import { checkGeneratedCode } from './services/generated_code.ts'
import { freePort } from './services/ports.ts'
import { runToTheEnd } from './services/run_to_the_end.ts'
import { smokeStart } from './services/smoke_start.ts'
import { ephemeralDirectory, removeServices, startServices } from './services/start_services.ts'
import { Supervisor } from './services/supervisor.ts'
import { testVariables } from './services/test_variables.ts'

/** Suites that ask a server for pages. */
const SERVED = ['functional', 'contract', 'browser']

await runToTheEnd(async (cleanup) => {
  const directory = await ephemeralDirectory()
  const supervisor = new Supervisor(directory)
  cleanup.defer(() => removeServices(directory))
  cleanup.defer(() => supervisor.stop())

  const services = await startServices({ directory, ephemeral: true, supervisor })
  const env = testVariables(services, directory, await freePort())
  const args = process.argv.slice(2)
  if (args[0] === '--generated') {
    return checkGeneratedCode(supervisor, env)
  }
  if (args[0] === '--smoke') {
    return smokeStart(supervisor, env, args[1])
  }
  return runTests(supervisor, env, args)
})

async function runTests(supervisor: Supervisor, env: NodeJS.ProcessEnv, args: string[]) {
  const browser = needs(['browser'], args) && (await findOrInstallChromium(supervisor))
  if (needs(SERVED, args)) await buildAssets(supervisor, env)
  const command = ['test', '--no-clear', ...args]
  const variables = browser ? { ...env, CHROMIUM_PATH: browser } : env
  const tests = await supervisor.start(
    ace('tests', command, variables, { output: 'inherit', graceMs: 3_000 })
  )
  const { code } = await tests.ended
  return code ?? 1
}

/** Whether one of these suites will run. Suites, when any are named, come before the flags. */
function needs(wanted: string[], args: string[]) {
  const firstFlag = args.findIndex((argument) => argument.startsWith('-'))
  const suites = firstFlag === -1 ? args : args.slice(0, firstFlag)
  return suites.length === 0 || suites.some((suite) => wanted.includes(suite))
}
