import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { log, writeLines } from './output.ts'
import { ProcessRecords, signalGroup } from './process_records.ts'
import { Interrupted, StartUpError } from './start_up_error.ts'

export type Account = { uid: number; gid: number }

export type ProcessSpec = {
  name: string
  command: string
  args: string[]
  cwd?: string
  env?: NodeJS.ProcessEnv
  account?: Account
  /** `lines`: to our own output, each line prefixed with the name. */
  output: 'lines' | 'inherit' | { file: string }
  onLine?: (line: string, kill: () => void) => void
  stopSignal?: NodeJS.Signals
  graceMs?: number
  role?: Role
}

/** Services (PostgreSQL, Redis) are stopped after the programs that use them; commands end by themselves. */
type Role = 'program' | 'service' | 'command'

export type Ending = { name: string; code: number | null; signal: NodeJS.Signals | null }

export type RunningProcess = {
  spec: ProcessSpec
  name: string
  pid: number
  role: Role
  ended: Promise<Ending>
  /** Sends the stop signal, and SIGKILL when the grace period is over. */
  stop(): Promise<void>
  kill(): void
}

/** How often each process may be started again. */
export type RestartLimit = { most: number; withinMs: number }

const DEFAULT_GRACE_MS = 20_000
const RESTART_LIMIT: RestartLimit = { most: 5, withinMs: 60_000 }
/** The parts of a killed PostgreSQL notice its end and release its memory. */
const RESTART_AFTER_MS = 500

/** Starts each process in its own process group, so that a Ctrl-C reaches only us and we decide the order of stopping. */
export class Supervisor {
  readonly #records: ProcessRecords
  readonly #running: RunningProcess[] = []
  #stopping: Promise<void> | undefined

  constructor(directory: string) {
    this.#records = new ProcessRecords(directory)
  }

  get isStopping() {
    return this.#stopping !== undefined
  }

  /** The running process of this name. */
  find(name: string) {
    return this.#running.find((each) => each.name === name)
  }

  async start(spec: ProcessSpec): Promise<RunningProcess> {
    if (this.isStopping) {
      throw new Interrupted()
    }
    const child = spawnChild(spec)
    if (child.pid === undefined) {
      throw await spawnFailure(child, spec)
    }
    const started = watch(child, child.pid, spec)
    this.#running.push(started)
    this.#records.add(started.pid, started.name, spec.stopSignal ?? 'SIGTERM')
    started.ended.then(() => this.#forget(started))
    return started
  }

  /** Runs a command until it ends. Throws a StartUpError when it fails. */
  async run(spec: ProcessSpec) {
    const command = await this.start({ ...spec, role: 'command' })
    const { code, signal } = await command.ended
    if (this.isStopping) {
      throw new Interrupted()
    }
    if (code !== 0) {
      throw new StartUpError(`${spec.name} failed (${signal ?? `exit code ${code}`}).`)
    }
  }

  /** Rejects as soon as a running service or program ends by itself. */
  async failWhenOneEnds(): Promise<never> {
    const lasting = this.#running.filter(({ role }) => role !== 'command')
    const { name, code, signal } = await Promise.race(lasting.map(({ ended }) => ended))
    throw this.isStopping
      ? new Interrupted()
      : new StartUpError(
          `${name} has ended by itself (${signal ?? `exit code ${code}`}): see its output above or its log for the reason.`
        )
  }

  /**
   * Starts again every service and program that ends by itself, and says so. One that has been started again as often as the
   * limit allows waits until it may. Rejects when stopping begins.
   */
  async keepRunning(limit = RESTART_LIMIT): Promise<never> {
    const lasting = this.#running.filter(({ role }) => role !== 'command')
    return Promise.race(lasting.map((each) => this.#keepOneRunning(each, limit)))
  }

  async #keepOneRunning(first: RunningProcess, { most, withinMs }: RestartLimit): Promise<never> {
    const restarts: number[] = []
    for (let current = first; ; current = await this.start(first.spec)) {
      const { name, code, signal } = await current.ended
      if (this.isStopping) throw new Interrupted()
      const reason = `${name} has ended by itself (${signal ?? `exit code ${code}`})`
      const mayStartAt = restarts.length < most ? 0 : restarts.at(-most)! + withinMs
      const waitMs = Math.max(RESTART_AFTER_MS, mayStartAt - Date.now())
      log(
        waitMs > RESTART_AFTER_MS
          ? `${reason} too often: starting it again in ${Math.ceil(waitMs / 1_000)} s`
          : `${reason}: starting it again`
      )
      await delay(waitMs)
      restarts.push(Date.now())
    }
  }

  /** Stops programs and commands, all at once; then the services, in reverse order of their start. */
  stop() {
    this.#stopping ??= this.#stopAll()
    return this.#stopping
  }

  async #stopAll() {
    const running = [...this.#running]
    this.#records.markStopping()
    await Promise.all(running.filter(({ role }) => role !== 'service').map((each) => each.stop()))
    for (const service of running.filter(({ role }) => role === 'service').reverse()) {
      await service.stop()
    }
    this.#records.clear()
  }

  #forget(ended: RunningProcess) {
    this.#running.splice(this.#running.indexOf(ended), 1)
    this.#records.remove(ended.pid)
  }
}

function watch(child: ChildProcess, pid: number, spec: ProcessSpec): RunningProcess {
  const role = spec.role ?? 'program'
  let isStopped = false
  child.once('exit', () => {
    // Children of a killed program keep its port and its output open.
    if (!isStopped && role !== 'command') signalGroup(pid, 'SIGKILL')
  })
  const ended = new Promise<Ending>((resolve) => {
    child.once('close', (code, signal) => resolve({ name: spec.name, code, signal }))
  })
  child.on('error', () => {})
  return {
    spec,
    name: spec.name,
    role,
    pid,
    ended,
    stop: () => {
      isStopped = true
      return stopProcess(pid, ended, spec)
    },
    kill: () => signalGroup(pid, 'SIGKILL'),
  }
}

async function spawnFailure(child: ChildProcess, { name, command }: ProcessSpec) {
  const [error] = await once(child, 'error')
  return new StartUpError(`Could not start ${name} (${command}): ${error.message}`)
}

function spawnChild(spec: ProcessSpec): ChildProcess {
  const { command, args, cwd, env, account, output, name } = spec
  const options = { cwd, env, ...account, detached: true }
  if (output === 'inherit') {
    return spawn(command, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] })
  }
  if (output === 'lines') {
    const child = spawn(command, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const kill = () => void (child.pid && signalGroup(child.pid, 'SIGKILL'))
    const onLine = (line: string) => spec.onLine?.(line, kill)
    writeLines(name, child.stdout!, process.stdout, onLine)
    writeLines(name, child.stderr!, process.stderr, onLine)
    return child
  }
  const file = openSync(output.file, 'a')
  try {
    return spawn(command, args, { ...options, stdio: ['ignore', file, file] })
  } finally {
    closeSync(file)
  }
}

async function stopProcess(pid: number, ended: Promise<Ending>, spec: ProcessSpec) {
  signalGroup(pid, spec.stopSignal ?? 'SIGTERM')
  await within(spec.graceMs ?? DEFAULT_GRACE_MS, ended)
  signalGroup(pid, 'SIGKILL')
  await within(5_000, ended)
}

async function within(milliseconds: number, promise: Promise<unknown>) {
  const timer = new AbortController()
  await Promise.race([promise, delay(milliseconds, undefined, timer)]).catch(() => {})
  timer.abort()
}
