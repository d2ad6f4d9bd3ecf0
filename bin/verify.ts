import { ace } from '../dev/application.ts'
import { testVariables } from '../dev/environment.ts'
import { checkGeneratedCode } from '../dev/generated_code.ts'
import { borrowDatabase } from '../dev/kept_postgres.ts'
import { freePort } from '../dev/ports.ts'
import type { DatabaseUrls } from '../dev/postgres.ts'
import { runProgram } from '../dev/run_program.ts'
import { runAll, runSelected } from '../dev/run_tests.ts'
import { smokeStart } from '../dev/smoke_start.ts'
import { checkDependencies } from '../dev/software_bill.ts'
import {
  createEphemeralDirectory,
  removeServices,
  type Services,
  startServices,
} from '../dev/start_services.ts'
import { Supervisor } from '../dev/supervisor.ts'
import { checkUpgrade } from '../dev/upgrade_check.ts'
import { TEST_PARTS } from '../dev/test_process.ts'

/** Migrations need none. */
const NO_REDIS = 'redis://127.0.0.1:1'

/**
 * `npm test` runs all tests, `npm test -- functional --files=…` some of them; `--coverage` runs all and keeps which spec runs
 * which functions, `--generated` checks the generated code, `--smoke` starts the production build, `--dependencies` lists its packages, and `--upgrade` upgrades a database of the last
 * release.
 */
await runProgram(async (cleanup) => {
  const args = process.argv.slice(2)
  const isCovered = args[0] === '--coverage'
  const isWhole = args.length === 0 || isCovered
  // A run of all tests has several processes, each with its own services.
  const parts = isWhole ? TEST_PARTS.length : 1
  const directories = await Promise.all(Array.from({ length: parts }, createEphemeralDirectory))
  const [directory] = directories
  const supervisor = new Supervisor(directory)
  for (const each of directories) cleanup.defer(() => removeServices(each))
  cleanup.defer(() => supervisor.stop())

  const variablesFor = async (services: Pick<Services, 'databaseUrls' | 'redisUrl'>, at: string) =>
    testVariables(services, at, await freePort())
  const start = async (at: string, databaseUrls?: DatabaseUrls) =>
    variablesFor(
      await startServices({ directory: at, ephemeral: true, supervisor, databaseUrls }),
      at
    )
  const startWithKeptDatabase = async () => {
    const database = process.env.CI ? undefined : await borrowDatabase(migrate)
    if (!database) return start(directory)
    cleanup.defer(database.giveBack)
    return { ...(await start(directory, database.urls)), IS_MIGRATED: 'true' }
  }
  const migrate = async (databaseUrls: DatabaseUrls) => {
    const env = await variablesFor({ databaseUrls, redisUrl: NO_REDIS }, directory)
    await supervisor.run(ace('migrations', ['migration:run', '--force'], env))
  }

  if (args[0] === '--generated') {
    return checkGeneratedCode(supervisor, await start(directory))
  }
  if (args[0] === '--dependencies') {
    return checkDependencies(args[1])
  }
  if (args[0] === '--upgrade') {
    return checkUpgrade(supervisor, await start(directory), directory)
  }
  if (args[0] === '--smoke') {
    return smokeStart(supervisor, await start(directory), args[1])
  }
  if (!isWhole) {
    return runSelected(supervisor, await startWithKeptDatabase(), args)
  }
  return runAll(supervisor, await Promise.all(directories.map((each) => start(each))), isCovered)
})
