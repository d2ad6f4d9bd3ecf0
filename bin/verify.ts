import { testVariables } from '../dev/environment.ts'
import { checkGeneratedCode } from '../dev/generated_code.ts'
import { freePort } from '../dev/ports.ts'
import { runProgram } from '../dev/run_program.ts'
import { runAll, runSelected } from '../dev/run_tests.ts'
import { smokeStart } from '../dev/smoke_start.ts'
import { createEphemeralDirectory, removeServices, startServices } from '../dev/start_services.ts'
import { Supervisor } from '../dev/supervisor.ts'
import { TEST_PARTS } from '../dev/test_process.ts'

/**
 * `npm test` runs all tests, `npm test -- functional --files=…` some of them; `--generated` checks the generated code and
 * `--smoke` starts the production build.
 */
await runProgram(async (cleanup) => {
  const args = process.argv.slice(2)
  // A run of all tests has several processes, each with its own services.
  const parts = args.length === 0 ? TEST_PARTS.length : 1
  const directories = await Promise.all(Array.from({ length: parts }, createEphemeralDirectory))
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
    return runSelected(supervisor, env, args)
  }
  return runAll(supervisor, [env, ...(await Promise.all(directories.slice(1).map(start)))])
})
