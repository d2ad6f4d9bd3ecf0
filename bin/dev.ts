import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ace, startWeb } from '../dev/application.ts'
import {
  completeEnvFile,
  projectVariables,
  type Variables,
  variablesOf,
} from '../dev/environment.ts'
import { log } from '../dev/output.ts'
import { devDirectory, environmentFile, sandboxFile } from '../dev/paths.ts'
import { isPortFree } from '../dev/ports.ts'
import type { DatabaseUrls } from '../dev/postgres.ts'
import { claimDirectory } from '../dev/process_records.ts'
import { untilReadyAt } from '../dev/readiness.ts'
import { runProgram } from '../dev/run_program.ts'
import { sandboxSummary } from '../dev/sandbox_summary.ts'
import { removeServices, type Services, startServices } from '../dev/start_services.ts'
import { StartUpError } from '../dev/start_up_error.ts'
import { Supervisor } from '../dev/supervisor.ts'

type Listener = { host: string; port: number; appUrl: string }

await runProgram(develop, { exitCodeOnStop: 0 })

async function develop(cleanup: AsyncDisposableStack) {
  const { fresh } = parseArgs({ options: { fresh: { type: 'boolean' } } }).values
  process.env.NODE_ENV = 'development'
  if (completeEnvFile()) {
    log('Created .env with fresh secrets')
  }
  const variables = await projectVariables()
  const listener = listenerOf(variables)
  if (fresh) {
    assertNoExternalServers(variables)
  }
  await claimDirectory(devDirectory)
  await assertFree(listener)
  if (fresh) {
    await removeServices(devDirectory)
    await rm(sandboxFile, { force: true })
  }

  const supervisor = new Supervisor(devDirectory)
  cleanup.defer(() => stop(supervisor))
  const services = await startServices({
    directory: devDirectory,
    ephemeral: false,
    databaseUrls: externalDatabase(variables),
    redisUrl: variables.REDIS_URL,
    supervisor,
  })
  const { STORAGE_DIRECTORY: storage } = variables
  const environment = environmentOf(listener, services, storage)
  // Only migrations run as the owner.
  const { DATABASE_URL } = environment
  const env = {
    ...process.env,
    ...environment,
    ...variablesOf({ application: DATABASE_URL, owner: '', reports: '' }),
  }
  await mkdir(devDirectory, { recursive: true })
  cleanup.defer(() => rm(environmentFile, { force: true }))
  await writeFile(environmentFile, JSON.stringify(environment), {
    mode: 0o600,
  })
  await supervisor.run(
    ace('migrate', ['migration:run', '--force'], { ...process.env, ...environment })
  )
  await supervisor.run(ace('seed', ['sandbox:seed'], env))
  await startWeb(supervisor, env)
  await supervisor.start(ace('worker', ['queue:work'], env))

  await Promise.race([untilReadyAt(listener.appUrl), supervisor.failWhenOneEnds()])
  console.log(
    sandboxSummary({
      appUrl: listener.appUrl,
      databaseUrl: services.databaseUrls.owner || services.databaseUrls.application,
      redisUrl: services.redisUrl,
    })
  )
  return supervisor.keepRunning()
}

/** A server of the developer's own; with one role, that owns the tables, unless the other settings name others. */
function externalDatabase(variables: Variables): DatabaseUrls | undefined {
  const { DATABASE_URL: application, OWNER_DATABASE_URL: owner } = variables
  if (!application) return undefined
  return { application, owner: owner ?? '', reports: variables.REPORTS_DATABASE_URL ?? '' }
}

function listenerOf(variables: Variables): Listener {
  const host = variables.HOST ?? '127.0.0.1'
  const port = Number(variables.PORT ?? 3333)
  const local = `http://localhost:${port}`
  // With PORT=4000 npm run dev, the APP_URL of .env still contains the port of .env.
  const configured = process.env.PORT ? undefined : variables.APP_URL
  return { host, port, appUrl: process.env.APP_URL ?? configured ?? local }
}

function environmentOf(
  { host, port, appUrl }: Listener,
  services: Services,
  storageDirectory?: string
) {
  return {
    NODE_ENV: 'development',
    HOST: host,
    PORT: String(port),
    APP_URL: appUrl,
    STORAGE_DIRECTORY: storageDirectory ?? join(devDirectory, 'storage'),
    ...variablesOf(services.databaseUrls),
    REDIS_URL: services.redisUrl,
    ...(process.stdout.isTTY && !process.env.NO_COLOR && { FORCE_COLOR: '1' }),
  }
}

function assertNoExternalServers(variables: Variables) {
  const external = ['DATABASE_URL', 'REDIS_URL'].find((name) => variables[name])
  if (external) {
    throw new StartUpError(
      `--fresh deletes all data, but ${external} names a server that this start-up does not manage: delete the data there yourself, or unset ${external}.`
    )
  }
}

async function assertFree({ host, port }: Listener) {
  if (!(await isPortFree(port, host))) {
    throw new StartUpError(
      `Port ${port} is taken: stop what listens there, or choose another with PORT=3334 npm run dev.`
    )
  }
}

async function stop(supervisor: Supervisor) {
  log('Stopping')
  await supervisor.stop()
}
