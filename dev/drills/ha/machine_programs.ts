import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ace } from '../../application.ts'
import { WITHOUT_OWNER } from '../../environment.ts'
import { root } from '../../paths.ts'
import { postgresAccount } from '../../postgres_account.ts'
import { untilReadyAt } from '../../readiness.ts'
import { StartUpError } from '../../start_up_error.ts'
import type { ProcessSpec, Supervisor } from '../../supervisor.ts'
import { BUILD } from '../production_build.ts'
import { type Machine, NETWORK } from './machines.ts'

const FILES = join(root, 'deploy/ha')
export const WEB_PORT = 3333
export const WORKER_PORT = 3334

type Program = Pick<ProcessSpec, 'name' | 'command' | 'args'> & Partial<ProcessSpec>

export const webOf = ({ address }: Machine) => `http://${address}:${WEB_PORT}`

/** Programs in machines: each machine's have logs and folders of their own below the directory. */
export class MachinePrograms {
  readonly supervisor: Supervisor
  readonly directory: string

  constructor(supervisor: Supervisor, directory: string) {
    this.supervisor = supervisor
    this.directory = directory
  }

  start(machine: Machine, program: Program, user?: string) {
    return this.supervisor.start(machine.runs(this.#withDefaults(machine, program), user))
  }

  /** Runs a program until it ends. */
  run(machine: Machine, program: Program) {
    return this.supervisor.run(machine.runs(this.#withDefaults(machine, program)))
  }

  #withDefaults(machine: Machine, program: Program): ProcessSpec {
    const output = { file: this.logOf(program.name, machine) }
    const env = { PATH: process.env.PATH, LC_ALL: 'C' }
    return { env, output, role: 'service', ...program }
  }

  async startWeb(machine: Machine, env: NodeJS.ProcessEnv) {
    await this.start(machine, product('web', { ...env, ...WITHOUT_OWNER }, 'bin/server.js'))
    await untilReadyAt(webOf(machine))
  }

  async startWorker(machine: Machine, env: NodeJS.ProcessEnv) {
    await this.start(
      machine,
      product('worker', { ...env, ...WITHOUT_OWNER }, 'ace.js', 'queue:work')
    )
    await untilReadyAt(`http://${machine.address}:${WORKER_PORT}`)
  }

  /** Runs a command of the product. */
  command(machine: Machine, env: NodeJS.ProcessEnv, ...args: string[]) {
    const spec = ace(args[0], [], env, {
      args: ['ace.js', ...args],
      cwd: BUILD,
      output: { file: join(this.directory, 'commands.log') },
    })
    return this.supervisor.run(machine.runs(spec))
  }

  /** Migrates and seeds; the file with the partners' keys. */
  async createSandbox(machine: Machine, env: NodeJS.ProcessEnv) {
    const file = join(this.directory, 'sandbox.json')
    await this.command(machine, env, 'migration:run', '--force')
    await this.command(machine, env, 'sandbox:seed', `--file=${file}`)
    return file
  }

  find(name: string, machine: Machine) {
    return this.supervisor.find(`${name} ${machine.name}`)
  }

  logOf(name: string, machine: Machine) {
    return join(this.directory, `${name}_${machine.name}.log`)
  }

  folder(machine: Machine, name: string) {
    const folder = join(this.directory, machine.name, name)
    mkdirSync(folder, { recursive: true })
    if (name === 'postgres') {
      const { uid, gid } = postgresAccount()!
      chownSync(folder, uid, gid)
      chmodSync(folder, 0o700)
    }
    return folder
  }

  /** The published file with the names, addresses and secrets of a machine. */
  configure(name: string, machine: Machine, replaced: [string, string][] = []) {
    const own: [string, string][] = [
      ...replaced,
      ['MY_NAME', machine.name],
      ['MY_ADDRESS', machine.address],
      ['10.0.0.', NETWORK],
    ]
    const published = readFileSync(join(FILES, name), 'utf8')
    const text = own.reduce((before, [from, to]) => before.replaceAll(from, to), published)
    for (const [from] of replaced)
      if (!published.includes(from)) throw new StartUpError(`deploy/ha/${name} has no "${from}"`)
    const file = join(this.directory, `${machine.name}_${name}`)
    writeFileSync(file, text, { mode: 0o644 })
    return file
  }
}

/** A process of the product. */
export const product = (name: string, env: NodeJS.ProcessEnv, ...args: string[]): Program => ({
  name,
  command: process.execPath,
  args,
  env,
  cwd: BUILD,
  role: 'program',
})
