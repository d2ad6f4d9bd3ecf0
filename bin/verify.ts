import { checkGeneratedCode } from './services/generated_code.ts'
import { freePort } from './services/ports.ts'
import { runAll, runSome } from './services/run_tests.ts'
import { runToTheEnd } from './services/run_to_the_end.ts'
import { smokeStart } from './services/smoke_start.ts'
import { ephemeralDirectory, removeServices, startServices } from './services/start_services.ts'
import { Supervisor } from './services/supervisor.ts'
import { TEST_PARTS } from './services/test_parts.ts'
import { testVariables } from './services/test_variables.ts'

await runToTheEnd(async (cleanup) => {
  const args = process.argv.slice(2)
  // All tests run in several processes, and each has services of its own.
  const parts = args.length === 0 ? TEST_PARTS.length : 1
  const directories = await Promise.all(Array.from({ length: parts }, ephemeralDirectory))
  const supervisor = new Supervisor(directories[0])
  for (const directory of directories) cleanup.defer(() => removeServices(directory))
  cleanup.defer(() => supervisor.stop())

  const start = async (directory: string) => {
    const services = await startServices({ directory, ephemeral: true, supervisor })
    return testVariables(services, directory, await freePort())
  }
  const env = await start(directories[0])
  if (args[0] === '--generated') {
    return checkGeneratedCode(supervisor, env)
  }
  if (args[0] === '--smoke') {
    return smokeStart(supervisor, env, args[1])
  }
  if (args.length > 0) {
    return runSome(supervisor, env, args)
  }
  return runAll(supervisor, [env, ...(await Promise.all(directories.slice(1).map(start)))])
})
