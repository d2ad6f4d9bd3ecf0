import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { sleep } from './crowd.js'
import { freePort } from './web_process.js'

/** A Redis of the test's own that may be killed, frozen and brought back on the same port. */
export class RedisProcess {
  #child?: ChildProcess

  private constructor(readonly port: number) {}

  static async start() {
    const redis = new RedisProcess(await freePort())
    await redis.start()
    return redis
  }

  get url() {
    return `redis://127.0.0.1:${this.port}`
  }

  async start() {
    const settings = { port: this.port, bind: '127.0.0.1', save: '', appendonly: 'no' }
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
    this.#child = spawn(process.env.REDIS_SERVER ?? 'redis-server', args, {
      stdio: 'ignore',
      cwd: '/tmp',
    })
    const deadline = Date.now() + 10_000
    while (!(await this.#answers('PING'))) {
      if (Date.now() > deadline) throw new Error('Redis does not start')
      await sleep(20)
    }
  }

  get #isRunning() {
    return this.#child !== undefined && this.#child.exitCode === null && !this.#child.signalCode
  }

  /** As it was at first, whatever a test did to it. */
  async bringBack() {
    if (!this.#isRunning) return this.start()
    this.thaw()
  }

  async kill() {
    if (!this.#isRunning) return
    const ended = once(this.#child!, 'exit')
    this.#child!.kill('SIGKILL')
    await ended
  }

  freeze = () => this.#child!.kill('SIGSTOP')
  thaw = () => this.#child!.kill('SIGCONT')

  /** Whether the key is there, asked over a connection of its own. */
  has = async (key: string) => (await this.#answers(`EXISTS ${key}`)) === ':1'

  set = (setting: string, value: string) => this.#answers(`CONFIG SET ${setting} ${value}`)

  #answers(command: string) {
    return new Promise<string | undefined>((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(`${command}\r\n`))
      const end = (answer?: string) => {
        socket.destroy()
        resolve(answer)
      }
      socket.setTimeout(500, () => end())
      socket.once('data', (data) => end(data.toString().trim()))
      socket.once('error', () => end())
    })
  }
}
