import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { identify, isAlive, type ProcessIdentity } from './process_identity.ts'

type RecordedProcess = ProcessIdentity & { name: string; stopSignal: NodeJS.Signals }
type Records = { owner: ProcessIdentity; isStopping: boolean; processes: RecordedProcess[] }

const FILE = 'processes.json'
const LEFTOVER_GRACE_MS = 10_000

/**
 * Who started what, on disk: a start that was killed outright leaves its children running, and
 * the next one must find them.
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
      // The directory went away under us; stopping what runs matters more than noting it down.
    }
  }
}

export function hasRecords(directory: string) {
  return existsSync(join(directory, FILE))
}

/** The start that still runs over this directory. */
export function ownerOf(directory: string) {
  const records = read(directory)
  return records && isAlive(records.owner)
    ? { pid: records.owner.pid, isStopping: records.isStopping }
    : undefined
}

/** Stops what an earlier start left running, last started first; answers with their names. */
export async function stopLeftovers(directory: string) {
  const leftovers = (read(directory)?.processes ?? []).filter(isAlive).reverse()
  for (const leftover of leftovers) {
    await stopLeftover(leftover)
  }
  return leftovers.map(({ name }) => name)
}

async function stopLeftover(leftover: RecordedProcess) {
  signalGroup(leftover.pid, leftover.stopSignal)
  const deadline = Date.now() + LEFTOVER_GRACE_MS
  while (isAlive(leftover) && Date.now() < deadline) {
    await delay(50)
  }
  signalGroup(leftover.pid, 'SIGKILL')
}

/** Everything this machinery starts leads a process group of its own. */
export function signalGroup(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(-pid, signal)
  } catch {
    // Nobody is left in the group.
  }
}

function read(directory: string): Records | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, FILE), 'utf8'))
  } catch {
    return undefined
  }
}
