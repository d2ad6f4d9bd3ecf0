import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Job, Outcome } from './generator/jobs.ts'
import type { Reply } from './generator/main.ts'

/** Runs load jobs in a separate process, so that generating load does not disturb the measuring one. */
export class LoadGenerator {
  readonly #process: ChildProcess
  readonly #ended: Promise<Reply>

  constructor() {
    // In its own process group, so that Ctrl-C reaches only us.
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
