import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Site } from '../judge/types.ts'
import { ace, buildAssets } from './application.ts'
import { findOrInstallChromium } from './chromium.ts'
import { testVariables } from './environment.ts'
import { log } from './output.ts'
import { judgeLogs, root } from './paths.ts'
import { freePort } from './ports.ts'
import { untilReadyAt } from './readiness.ts'
import { startServices } from './start_services.ts'
import type { Supervisor } from './supervisor.ts'

interface Sandbox {
  staff: { role: string; email: string; password: string }[]
  partners: { code: string; api_key: string; secret: string }[]
  events: { purpose: string; event_id: string }[]
}

/**
 * Starts a server and a worker from the sources, with the settings of a deployed sandbox and their own database;
 * `variables` changes settings.
 */
export async function startJudgedProduct(
  supervisor: Supervisor,
  directory: string,
  variables: NodeJS.ProcessEnv = {}
): Promise<Site> {
  const services = await startServices({ directory, ephemeral: true, supervisor })
  const port = await freePort()
  const env: NodeJS.ProcessEnv = {
    ...testVariables(services, directory, port),
    NODE_ENV: 'production',
    DEPLOYMENT: 'sandbox',
    SESSION_DRIVER: 'redis',
    LOG_LEVEL: 'info',
    // The judges act as a proxy, so that each of their clients can have its own address.
    TRUSTED_PROXIES: '127.0.0.1/32,::1/128',
    ...variables,
  }
  await buildAssets(supervisor, env)
  const sandboxFile = join(directory, 'sandbox.json')
  await supervisor.run(ace('migrate', ['migration:run', '--force', '--no-schema-generate'], env))
  await supervisor.run(ace('seed', ['sandbox:seed', `--file=${sandboxFile}`], env))
  const gateKey = await createGateDevice(supervisor, env)

  mkdirSync(judgeLogs, { recursive: true })
  const logTo = (name: string) => ({ output: { file: join(judgeLogs, `${name}.log`) } })
  const server = ['--import=@poppinss/ts-exec', 'bin/server.ts']
  // The judges count the statements of the web process alone.
  const webEnv = { ...env, DATABASE_URL: named('judged-web', services.databaseUrls.application) }
  await supervisor.start(ace('web', [], webEnv, { args: server, ...logTo('web') }))
  await supervisor.start(ace('worker', ['queue:work'], env, logTo('worker')))
  const appUrl = env.APP_URL!
  await Promise.race([untilReadyAt(appUrl), supervisor.failWhenOneEnds()])
  log(`The judged product is ready; its logs are in ${judgeLogs}`)

  const sandbox = JSON.parse(readFileSync(sandboxFile, 'utf8')) as Sandbox
  return {
    ...siteWithoutServer(directory),
    appUrl,
    host: '127.0.0.1',
    port,
    apiUrl: `${appUrl}/api/v1/partners`,
    ownerDatabaseUrl: services.databaseUrls.owner,
    redisUrl: services.redisUrl,
    partners: Object.fromEntries(
      sandbox.partners.map(({ code, api_key: apiKey, secret }) => [code, { apiKey, secret }])
    ),
    events: Object.fromEntries(sandbox.events.map((event) => [event.purpose, event.event_id])),
    staff: Object.fromEntries(
      sandbox.staff.map(({ role, email, password }) => [role, { email, password }])
    ),
    gateKey,
    chromiumFile: await findOrInstallChromium(supervisor),
  }
}

/** A site without a running server, for judges that only read the description. */
export function siteWithoutServer(directory: string): Site {
  return {
    appUrl: '',
    host: '',
    port: 0,
    apiUrl: '',
    ownerDatabaseUrl: '',
    redisUrl: '',
    partners: {},
    events: {},
    staff: {},
    gateKey: '',
    chromiumFile: '',
    descriptionFile: join(root, 'docs/api/openapi.yaml'),
    scratchDirectory: directory,
  }
}

function named(applicationName: string, databaseUrl: string) {
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', applicationName)
  return url.href
}

async function createGateDevice(supervisor: Supervisor, env: NodeJS.ProcessEnv) {
  let key = ''
  const onLine = (line: string) => {
    key = /gate key (\S+)/.exec(line)?.[1] ?? key
  }
  await supervisor.run(ace('gate', ['gate:device', 'Judge'], env, { onLine }))
  return key
}
