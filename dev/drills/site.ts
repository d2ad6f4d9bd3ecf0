import { join } from 'node:path'
import { ace } from '../application.ts'
import { testVariables, WITHOUT_OWNER } from '../environment.ts'
import { freePort } from '../ports.ts'
import { logTail, untilReadyAt } from '../readiness.ts'
import type { Services } from '../start_services.ts'
import { StartUpError } from '../start_up_error.ts'
import type { ProcessSpec, Supervisor } from '../supervisor.ts'
import { type Parties, readParties } from './load/parties.ts'
import { BUILD } from './production_build.ts'

export const WEBS = ['web 1', 'web 2']
export const WORKER = 'worker'
export const WORK = ['ace.js', 'queue:work']

/** A version of the product on disk. */
export interface Installation {
  cwd: string
  /** Arguments of Node that start a web process. */
  server: string[]
}
export const BUILT: Installation = { cwd: BUILD, server: ['bin/server.js'] }

export interface Site extends Parties {
  ports: number[]
  workerPort: number
  /** The owner's: a drill also reads and prepares what the application may not. */
  databaseUrl: string
  /** The settings of all processes. */
  env: NodeJS.ProcessEnv
  /** A process with its log in the directory; a web process without arguments. */
  program(name: string, env: NodeJS.ProcessEnv, args?: string[]): ProcessSpec
  /** Runs a command of the product; its output is in `<directory>/commands.log`. */
  command(...args: string[]): Promise<void>
}

interface SiteOptions {
  supervisor: Supervisor
  directory: string
  services: Pick<Services, 'databaseUrls' | 'redisUrl'>
  /** Where the partner that lets its holds expire gets its webhooks. */
  webhooks: string
  /** Settings that differ from those of the tests. */
  settings?: NodeJS.ProcessEnv
  /** The production build, if none is named. */
  installation?: Installation
}

/** Two web processes and a worker, with the sandbox. */
export async function startSite({
  supervisor,
  directory,
  services,
  webhooks,
  settings,
  installation = BUILT,
}: SiteOptions): Promise<Site> {
  const [first, second, workerPort] = [await freePort(), await freePort(), await freePort()]
  const env: NodeJS.ProcessEnv = {
    ...testVariables(services, directory, first),
    NODE_ENV: 'production',
    DEPLOYMENT: 'sandbox',
    LOCAL_WEBHOOKS: 'true',
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const program = programsOf(installation, directory, env)
  const command = (...args: string[]) => runCommand(supervisor, directory, program, args)
  const sandbox = join(directory, 'sandbox.json')
  await command('migration:run', '--force')
  await command('sandbox:seed', `--file=${sandbox}`)
  await command('webhook:endpoint', 'brisk', webhooks)

  const ports = [first, second]
  for (const [index, port] of ports.entries()) {
    await supervisor.start(program(WEBS[index], { PORT: String(port) }))
  }
  await supervisor.start(program(WORKER, { WORKER_PORT: String(workerPort) }, WORK))
  const ready = Promise.all(
    [...ports, workerPort].map((port) => untilReadyAt(`http://127.0.0.1:${port}`))
  )
  await Promise.race([ready, supervisor.failWhenOneEnds()])
  const databaseUrl = services.databaseUrls.owner
  const parties = await readParties(databaseUrl, sandbox)
  return { ports, workerPort, databaseUrl, env, program, command, ...parties }
}

/** Processes of an installation, each with its log in the directory. */
export const programsOf =
  ({ cwd, server }: Installation, directory: string, env: NodeJS.ProcessEnv) =>
  (name: string, own: NodeJS.ProcessEnv, args = server) => {
    const serves = args === server || args === WORK
    const settings = { ...env, ...own, ...(serves && WITHOUT_OWNER) }
    return ace(name, [], settings, { args, cwd, output: { file: join(directory, `${name}.log`) } })
  }

/** Runs a command of an installation. An error has the end of its log. */
export async function runCommand(
  supervisor: Supervisor,
  directory: string,
  program: Site['program'],
  args: string[]
) {
  const spec = { ...program('commands', {}, ['ace.js', ...args]), name: args[0] }
  try {
    await supervisor.run(spec)
  } catch (error) {
    const log = await logTail(join(directory, 'commands.log'))
    throw error instanceof StartUpError ? new StartUpError(`${error.message}\n${log}`) : error
  }
}

export const addressesOf = ({ ports }: Site) => ports.map((port) => `http://127.0.0.1:${port}`)

/** Whether both web processes are ready and the worker lives. */
export async function areReady({ ports, workerPort }: Site) {
  const questions = [...ports.map((port) => `${port}/health/ready`), `${workerPort}/health/live`]
  const answers = await Promise.all(
    questions.map((path) =>
      fetch(`http://127.0.0.1:${path}`, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => ok,
        () => false
      )
    )
  )
  return answers.every(Boolean)
}
