import type { Credentials } from '#tests/support/partner_client'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sleep } from './crowd.js'

const EXAMPLES = fileURLToPath(new URL('../../../../docs/api/examples/', import.meta.url))
const COMMANDS = { 'webhook_receiver.mjs': process.execPath, 'webhook_receiver.py': 'python3' }
const WITHIN_MS = 20_000

export type ReceiverExample = keyof typeof COMMANDS
/** Those that run here: the project itself needs no Python. */
export const RECEIVER_EXAMPLES = (Object.keys(COMMANDS) as ReceiverExample[]).filter(
  (example) => spawnSync(COMMANDS[example], ['--version']).status === 0
)

export interface Printed {
  name: string
  news: any
}

/** A published example of a partner's receiver, as the process that it is meant to be. */
export class ReceiverProcess {
  /** What it has printed: each piece of news that it took for genuine and new. */
  readonly printed: Printed[] = []
  #port = 0

  private constructor(private child: ChildProcess) {}

  static async start(
    { apiKey, secret }: Credentials,
    example: ReceiverExample = 'webhook_receiver.mjs',
    variables: NodeJS.ProcessEnv = {}
  ) {
    const own = { PARTNER_API_KEY: apiKey, PARTNER_SECRET: secret, PORT: '0' }
    const child = spawn(COMMANDS[example], [EXAMPLES + example], {
      env: { PATH: process.env.PATH, ...own, ...variables },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const receiver = new ReceiverProcess(child)
    createInterface(child.stdout).on('line', (line) => receiver.#read(line))
    await until(() => receiver.#port > 0, `${example} does not start`)
    return receiver
  }

  get url() {
    return `http://127.0.0.1:${this.#port}/news?of=tickets&lang=ru`
  }

  /** Waits until it has printed as many matching deliveries. */
  async hasPrinted(fits: (printed: Printed) => boolean, times = 1) {
    await until(() => this.printed.filter(fits).length >= times, 'The news does not come')
  }

  async stop() {
    if (this.child.exitCode !== null || this.child.signalCode) return
    const ended = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await ended
  }

  #read(line: string) {
    const [, port] = /^Listening on port (\d+)$/.exec(line) ?? []
    const [, name, news] = /^(\w+) (\{.*\})$/.exec(line) ?? []
    if (port) this.#port = Number(port)
    if (name) this.printed.push({ name, news: JSON.parse(news) })
  }
}

async function until(isSo: () => boolean, complaint: string) {
  const deadline = Date.now() + WITHIN_MS
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(complaint)
    await sleep(10)
  }
}
