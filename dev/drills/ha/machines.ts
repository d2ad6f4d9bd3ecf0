import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { ProcessSpec } from '../../supervisor.ts'

const PREFIX = 'tpha'
const BRIDGE = `${PREFIX}-bridge`
/** The files of `deploy/ha` have 10.0.0., which this machine may know already. */
export const NETWORK = '10.87.0.'
/** This machine's address on the bridge. */
export const HOST = `${NETWORK}1`

const ip = (...args: string[]) => execFileSync('ip', args, { encoding: 'utf8', stdio: 'pipe' })

/** A machine of its own to all that runs in it: a network namespace with one address on a bridge. */
export class Machine {
  readonly name: string
  readonly address: string
  readonly #namespace: string

  constructor(name: string, lastNumber: number) {
    this.name = name
    this.address = `${NETWORK}${lastNumber}`
    this.#namespace = `${PREFIX}-${name}`
  }

  /** The end of its cable that is on the bridge. */
  get #outside() {
    return `${PREFIX}-${this.name}-o`
  }

  create() {
    const inside = this.networkInterface
    const outside = this.#outside
    ip('netns', 'add', this.#namespace)
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside)
    ip('link', 'set', inside, 'netns', this.#namespace)
    ip('link', 'set', outside, 'master', BRIDGE, 'up')
    ip('-n', this.#namespace, 'addr', 'add', `${this.address}/24`, 'dev', inside)
    ip('-n', this.#namespace, 'link', 'set', inside, 'up')
    ip('-n', this.#namespace, 'link', 'set', 'lo', 'up')
  }

  /** Of the end of its cable that is inside. */
  get networkInterface() {
    return `${PREFIX}-${this.name}`
  }

  /** Whether an address was moved to it. */
  has(moved: string) {
    return ip('-n', this.#namespace, 'addr', 'show').includes(`inet ${moved}/`)
  }

  /** Nobody reaches it, as if it were off, whatever addresses it has. */
  unplug() {
    ip('link', 'set', this.#outside, 'down')
  }

  /** An address that was moved to it meanwhile is gone, as after a start. */
  plugIn(moved: string) {
    spawnSync(
      'ip',
      ['-n', this.#namespace, 'addr', 'del', `${moved}/24`, 'dev', this.networkInterface],
      { stdio: 'ignore' }
    )
    ip('link', 'set', this.#outside, 'up')
  }

  /** Packets to the others are dropped there, so that they see silence and not an error. */
  cutOff(others: Machine[]) {
    for (const other of others)
      ip('-n', other.#namespace, 'route', 'add', 'blackhole', `${this.address}/32`)
  }

  reconnect(others: Machine[]) {
    for (const other of others)
      ip('-n', other.#namespace, 'route', 'del', 'blackhole', `${this.address}/32`)
  }

  /** The same program in this machine, as another user if named. */
  runs(spec: ProcessSpec, user?: string): ProcessSpec {
    const asUser = user ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'] : []
    const args = ['netns', 'exec', this.#namespace, ...asUser, spec.command, ...spec.args]
    return { ...spec, name: `${spec.name} ${this.name}`, command: 'ip', args }
  }

  /** Runs a program there until it ends; its output, and the errors when it has failed. */
  call(command: string, ...args: string[]) {
    const called = ['netns', 'exec', this.#namespace, command, ...args]
    const { status, stdout, stderr } = spawnSync('ip', called, {
      encoding: 'utf8',
      timeout: 10_000,
    })
    return { hasSucceeded: status === 0, text: (status === 0 ? stdout : stderr).trim() }
  }

  /** Kills what runs there and matches; all by default. */
  kill(pattern = /./) {
    this.#signal('SIGKILL', pattern)
  }

  /** Nothing there runs on, and connections stay open: as when its host pauses it. */
  freeze() {
    this.#signal('SIGSTOP')
  }

  thaw() {
    this.#signal('SIGCONT')
  }

  remove() {
    // A connection that nobody has closed keeps a deleted namespace, and this with it, for minutes.
    removeLink(this.#outside)
    if (!existsSync(`/run/netns/${this.#namespace}`)) return
    this.kill()
    ip('netns', 'delete', this.#namespace)
  }

  #signal(signal: NodeJS.Signals, pattern = /./) {
    for (const pid of this.#processes()) {
      if (!pattern.test(commandLineOf(pid))) continue
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  #processes() {
    return ip('netns', 'pids', this.#namespace).split('\n').filter(Boolean).map(Number)
  }
}

function commandLineOf(pid: number) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** Connects the machines; removes what a drill that was killed has left. The clean-up removes all. */
export function createNetwork(machines: Machine[], cleanup: AsyncDisposableStack) {
  removeNetwork(machines)
  cleanup.defer(() => removeNetwork(machines))
  ip('link', 'add', BRIDGE, 'type', 'bridge')
  ip('addr', 'add', `${HOST}/24`, 'dev', BRIDGE)
  ip('link', 'set', BRIDGE, 'up')
  for (const machine of machines) machine.create()
}

function removeNetwork(machines: Machine[]) {
  for (const machine of machines) machine.remove()
  removeLink(BRIDGE)
}

/** If there is one. */
const removeLink = (name: string) =>
  void spawnSync('ip', ['link', 'delete', name], { stdio: 'ignore' })
