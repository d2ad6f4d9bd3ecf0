import { checkGeneratedCode } from '../dev/generated_code.ts'
import { freePort } from '../dev/ports.ts'
import { runAll, runSome } from '../dev/run_tests.ts'
import { runToTheEnd } from '../dev/run_to_the_end.ts'
import { smokeStart } from '../dev/smoke_start.ts'
import { ephemeralDirectory, removeServices, startServices } from '../dev/start_services.ts'
import { Supervisor } from '../dev/supervisor.ts'
import { TEST_PARTS } from '../dev/test_parts.ts'
import { testVariables } from '../dev/test_variables.ts'

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
