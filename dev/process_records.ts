import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { log } from './output.ts'
import { poll } from './poll.ts'
import { StartUpError } from './start_up_error.ts'

/**
 * The start time distinguishes a process from a later one with the same id. Stored: start-ups of other versions read it and
 * remove the directories of processes that they take for dead, so the names must not change.
 */
type ProcessIdentity = { pid: number; bornAt: string }
type RecordedProcess = ProcessIdentity & { name: string; stopSignal: NodeJS.Signals }
type Records = { owner: ProcessIdentity; isStopping: boolean; processes: RecordedProcess[] }

const FILE = 'processes.json'
const LEFTOVER_GRACE_MS = 10_000
const OWNER_STOPS_WITHIN_MS = 60_000

/**
 * Records on disk which processes a start-up runs: when it is killed with SIGKILL its children survive, and the next
 * start-up must be able to find and stop them.
 */
export class ProcessRecords {
  readonly #file: string
  readonly #processes = new Map<number, RecordedProcess>()
  #isStopping = false

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true })
    this.#file = join(directory, FILE)
    this.#write()
  }

  add(pid: number, name: string, stopSignal: NodeJS.Signals) {
    const identity = identify(pid)
    if (identity) {
      this.#processes.set(pid, { ...identity, name, stopSignal })
      this.#write()
    }
  }

  remove(pid: number) {
    if (this.#processes.delete(pid)) {
      this.#write()
    }
  }

  markStopping() {
    this.#isStopping = true
    this.#write()
  }

  clear() {
    rmSync(this.#file, { force: true })
  }

  #write() {
    const records = {
      owner: identify(process.pid),
      isStopping: this.#isStopping,
      processes: [...this.#processes.values()],
    }
    try {
      writeFileSync(`${this.#file}.new`, JSON.stringify(records, null, 2))
      renameSync(`${this.#file}.new`, this.#file)
    } catch {
      // The directory was removed meanwhile; stopping the processes matters more than recording them.
    }
  }
}

/**
 * Claims a directory for this start-up: stops the processes that a killed start-up left there. Throws a StartUpError
 * while another start-up runs there.
 */
export async function claimDirectory(directory: string) {
  if (ownerOf(directory)?.isStopping) {
    log('Waiting for the earlier start-up to stop')
    const isStopped = () => !ownerOf(directory)?.isStopping
    await poll(isStopped, { withinMs: OWNER_STOPS_WITHIN_MS, everyMs: 100 })
  }
  const owner = ownerOf(directory)
  if (owner) {
    throw new StartUpError(`This is already running here (process ${owner.pid}): stop it first.`)
  }
  for (const name of await stopLeftovers(directory)) {
    log(`Stopped ${name}, left running by an earlier start-up`)
  }
}

export function hasRecords(directory: string) {
  return existsSync(join(directory, FILE))
}

/** The start-up that is running in this directory, if any. */
export function ownerOf(directory: string) {
  const records = read(directory)
  return records && isAlive(records.owner)
    ? { pid: records.owner.pid, isStopping: records.isStopping }
    : undefined
}

/** Stops the processes that a killed start-up left running, in reverse order of their start; returns their names. */
export async function stopLeftovers(directory: string) {
  const leftovers = (read(directory)?.processes ?? []).filter(isAlive).reverse()
  for (const leftover of leftovers) {
    signalGroup(leftover.pid, leftover.stopSignal)
    await poll(() => !isAlive(leftover), { withinMs: LEFTOVER_GRACE_MS })
    signalGroup(leftover.pid, 'SIGKILL')
  }
  return leftovers.map(({ name }) => name)
}

/** Signals a process with all of its children: each process that we start leads a process group. */
export function signalGroup(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group is empty.
  }
}

export function identify(pid: number): ProcessIdentity | undefined {
  const bornAt = process.platform === 'linux' ? startTimeFromProc(pid) : ps(pid, 'lstart=')
  return bornAt ? { pid, bornAt } : undefined
}

export function isAlive(identity: ProcessIdentity) {
  return identify(identity.pid)?.bornAt === identity.bornAt
}

export function commandLineOf(pid: number) {
  if (process.platform !== 'linux') {
    return ps(pid, 'command=') ?? ''
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function read(directory: string): Records | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, FILE), 'utf8'))
  } catch {
    return undefined
  }
}

/** In clock ticks since boot; undefined for a zombie. See proc_pid_stat(5). */
function startTimeFromProc(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in brackets and may itself contain spaces and brackets.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : fields[18]
  } catch {
    return undefined
  }
}

function ps(pid: number, column: string) {
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}
