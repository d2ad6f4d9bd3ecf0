import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

interface LogLine {
  level: string
  msg: string
  time: string
  job?: string
  count?: number
  err?: { message: string; stack: string }
}

/** A worker of its own, with the database and Redis of the tests by default. */
export class WorkerProcess {
  #child?: ChildProcess
  /** What it has logged, at the level of its `LOG_LEVEL`. */
  readonly logged: LogLine[] = []

  /** Resolves when the process is over. */
  ended: Promise<number | string> = Promise.resolve(0)

  constructor(private variables: NodeJS.ProcessEnv = {}) {}

  /** Detached it has a session of its own, as under a supervisor, and a Ctrl-C does not reach it. */
  start(flags: string[] = [], { detached = false } = {}) {
    const env = { ...process.env, NODE_ENV: 'production', ...this.variables }
    this.#child = spawn(process.execPath, ['ace', 'queue:work', ...flags], {
      cwd: ROOT,
      env,
      detached,
      stdio: ['ignore', 'pipe', process.env.WORKER_ERRORS ? 'inherit' : 'ignore'],
    })
    this.ended = once(this.#child, 'exit').then(([code, by]) => (code ?? by) as number | string)
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      // The console's own lines are no JSON.
      if (line.startsWith('{')) this.logged.push(JSON.parse(line) as LogLine)
    })
  }

  get pid() {
    return this.#child?.pid
  }

  /** The exit code, or the signal that ended it. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode) return undefined
    child.kill(signal)
    return this.ended
  }
}
