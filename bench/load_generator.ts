import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Job, Outcome } from './generator/jobs.ts'
import type { Reply } from './generator/main.ts'

/** The process that makes the load, apart from the one that measures. */
export class LoadGenerator {
  readonly #process: ChildProcess
  readonly #ended: Promise<Reply>

  constructor() {
    // A group of its own: a Ctrl-C reaches us alone.
    this.#process = fork(join(import.meta.dirname, 'generator/main.ts'), { detached: true })
    this.#ended = once(this.#process, 'exit').then(() => ({
      error: 'The load generator has ended',
    }))
  }

  get pid() {
    return this.#process.pid!
  }

  async run(job: Job): Promise<Outcome> {
    const answered = once(this.#process, 'message').then(([reply]) => reply as Reply)
    this.#process.send(job)
    const reply = await Promise.race([answered, this.#ended])
    if ('error' in reply) throw new Error(reply.error)
    return reply.outcome
  }

  stop() {
    this.#process.kill()
  }
}
