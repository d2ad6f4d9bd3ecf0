import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sleep } from './crowd.js'

interface LogLine {
  level: string
  time: string
  msg: string
  setting?: string
  route?: string
  status?: number
  code?: string
  address?: string
  aborted?: boolean
  count?: number
  err?: { message: string; stack: string }
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const READY_WITHIN_MS = 120_000

// Below the range from which systems lend ports to outgoing connections: a client that keeps trying
// a port of that range while nobody listens ends up connected to itself.
const LOWEST = 20_000
const HIGHEST = 32_000

export async function freePort(): Promise<number> {
  const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}

/** A web process of its own on a free port, with the database and Redis of the tests by default. */
export class WebProcess {
  #child?: ChildProcess
  /** What it has logged, at the level of its `LOG_LEVEL`. */
  readonly logged: LogLine[] = []

  private constructor(
    readonly port: number,
    private variables: NodeJS.ProcessEnv
  ) {}

  static async start(variables: NodeJS.ProcessEnv = {}) {
    const web = new WebProcess(await freePort(), variables)
    await web.start()
    return web
  }

  get url() {
    return `http://127.0.0.1:${this.port}`
  }

  get isRunning() {
    return this.#child !== undefined && this.#child.exitCode === null && !this.#child.signalCode
  }

  async start() {
    const own = { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(this.port) }
    const env = { ...process.env, ...own, ...this.variables }
    this.#child = spawn(process.execPath, ['--import=@poppinss/ts-exec', 'bin/server.ts'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', process.env.WEB_ERRORS ? 'inherit' : 'ignore'],
    })
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      if (line.startsWith('{')) this.logged.push(JSON.parse(line) as LogLine)
    })
    const deadline = Date.now() + READY_WITHIN_MS
    while (!(await this.#isReady())) {
      if (Date.now() > deadline || !this.isRunning)
        throw new Error('The web process does not start')
      await sleep(30)
    }
  }

  /** The exit code, or the signal that ended it. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
    if (!this.isRunning) return undefined
    const ended = once(this.#child!, 'exit')
    this.#child!.kill(signal)
    const [code, by] = await ended
    return (code ?? by) as number | string
  }

  /** Without its database a process can only live. */
  async #isReady() {
    const question = this.variables.DATABASE_URL ? 'live' : 'ready'
    return fetch(`${this.url}/health/${question}`).then(
      (response) => response.ok,
      () => false
    )
  }
}
