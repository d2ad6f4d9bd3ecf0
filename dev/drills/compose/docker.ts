import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { canInstallPackages, findProgram, installPackages } from '../../programs.ts'
import { untilServiceReady } from '../../readiness.ts'
import { StartUpError } from '../../start_up_error.ts'
import type { Supervisor } from '../../supervisor.ts'

const PACKAGES = ['docker.io', 'docker-compose', 'debootstrap', 'iptables', 'iproute2']
const PROGRAMS = ['dockerd', 'containerd', 'runc', 'debootstrap', 'iptables-save', 'ip']
/** Debian's own programs, before others of the same name. */
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/bin'
const FORWARDING = '/proc/sys/net/ipv4/ip_forward'
const MAX_OUTPUT = 256 * 1024 * 1024

const execute = promisify(execFile)

type CommandOptions = { cwd?: string; env?: NodeJS.ProcessEnv }

/** Installs Docker, its compose command and debootstrap from Debian's packages. */
export async function installDocker(supervisor: Supervisor) {
  const missing = () => PROGRAMS.filter((name) => !findProgram(name))
  const wanted = missing()
  if (wanted.length === 0) return 'present'
  if (!canInstallPackages()) {
    const command = `apt-get install --no-install-recommends ${PACKAGES.join(' ')}`
    throw new StartUpError(
      `${wanted.join(', ')} not found. On Debian, as root: ${command}; then run the drill as root.`
    )
  }
  await installPackages(supervisor, ...PACKAGES)
  if (missing().length > 0) throw new StartUpError(`${missing().join(', ')} not found`)
  return `installed ${PACKAGES.join(', ')}`
}

/**
 * A Docker daemon of our own, with its socket and data in one directory: it neither sees nor disturbs another one. Commands
 * that are still running are killed by `abort`.
 */
export class Docker {
  readonly directory: string
  #aborting = new AbortController()
  readonly #environment: NodeJS.ProcessEnv
  #compose: string[] = []

  private constructor(directory: string) {
    this.directory = directory
    this.#environment = {
      PATH,
      HOME: directory,
      LC_ALL: 'C.UTF-8',
      DOCKER_HOST: `unix://${join(directory, 'docker.sock')}`,
    }
  }

  static async start(supervisor: Supervisor, directory: string) {
    const docker = new Docker(directory)
    await mkdir(directory, { recursive: true })
    const log = join(directory, 'dockerd.log')
    writeFileSync(log, '')
    const daemon = await supervisor.start({
      name: 'dockerd',
      command: findProgram('dockerd')!,
      args: [
        `--host=unix://${join(directory, 'docker.sock')}`,
        `--data-root=${join(directory, 'data')}`,
        `--exec-root=${join(directory, 'exec')}`,
        `--pidfile=${join(directory, 'dockerd.pid')}`,
        // Networks are those of compose.yaml.
        '--bridge=none',
        // Lowering it needs a right that restricted machines lack.
        '--oom-score-adjust=0',
      ],
      env: { PATH },
      output: { file: log },
      role: 'service',
    })
    const answers = () =>
      docker.run('docker', ['version']).then(
        () => true,
        () => false
      )
    await untilServiceReady(daemon, answers, log)
    docker.#compose = await docker.#findCompose()
    return docker
  }

  /** What the command prints. Throws a StartUpError with the end of its output when it fails. */
  async run(command: string, args: string[], { cwd, env }: CommandOptions = {}) {
    try {
      const { stdout } = await execute(command, args, {
        cwd: cwd ?? this.directory,
        env: { ...this.#environment, ...env },
        maxBuffer: MAX_OUTPUT,
        signal: this.#aborting.signal,
      })
      return stdout.trim()
    } catch (error) {
      const { stdout = '', stderr = '', message } = error as Error & Record<string, string>
      const tail = `${stdout}\n${stderr}`.trim().split('\n').slice(-12).join('\n')
      const words = [command, ...args].join(' ').slice(0, 100)
      throw new StartUpError(`${words} failed: ${tail || message}`)
    }
  }

  docker(...args: string[]) {
    return this.run('docker', args)
  }

  compose(project: string, ...args: string[]) {
    const [command, ...rest] = this.#compose
    return this.run(command, [...rest, ...args], { cwd: project })
  }

  /** Kills the commands that are running now. */
  abort() {
    this.#aborting.abort()
    this.#aborting = new AbortController()
  }

  /** Debian 12 has Compose as a command of its own, later versions as a part of `docker`. */
  async #findCompose() {
    const isPlugin = await this.docker('compose', 'version').then(
      () => true,
      () => false
    )
    return isPlugin ? ['docker', 'compose'] : ['docker-compose']
  }
}

/** Docker changes the machine's packet filter and forwarding and leaves them so. Returns what puts them back. */
export function rememberPacketFilter() {
  const rules = execFileSync('iptables-save', { env: { PATH }, encoding: 'utf8' })
  const forwarding = existsSync(FORWARDING) ? readFileSync(FORWARDING, 'utf8') : undefined
  const emptied = [
    ['filter', 'INPUT', 'FORWARD', 'OUTPUT'],
    ['nat', 'PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
  ]
    .filter(([table]) => !rules.includes(`*${table}\n`))
    .map(([table, ...chains]) =>
      [`*${table}`, ...chains.map((chain) => `:${chain} ACCEPT [0:0]`), 'COMMIT', ''].join('\n')
    )
  return () => {
    execFileSync('iptables-restore', { env: { PATH }, input: [rules, ...emptied].join('') })
    if (forwarding) writeFileSync(FORWARDING, forwarding)
  }
}

export function mountsBelow(directory: string) {
  return readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((target) => target.startsWith(`${directory}/`))
}

/** A daemon that has ended leaves its network namespace mounted. */
export function unmountBelow(directory: string) {
  for (const target of mountsBelow(directory).reverse()) execFileSync('umount', [target])
}
