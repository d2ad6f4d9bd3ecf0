import env from '#start/env'
import { QUEUES, SCHEDULE, type QueueName } from '#start/schedule'
import { BackgroundWorker } from '#worker/background_worker'
import { takeLowestPriority } from '#worker/lowest_priority'
import { refuseEviction } from '#worker/redis_policy'
import { closeStatus, serveStatus } from '#worker/status_server'
import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'

export default class QueueWork extends BaseCommand {
  static commandName = 'queue:work'
  static description = 'Run the scheduled jobs; any number of workers may run'
  static options: CommandOptions = { startApp: true, staysAlive: true }

  @flags.array({
    description: 'Queues to work on: clock, checks, webhooks, runs, mails; all when left out',
  })
  declare queues?: string[]

  @flags.number({ description: 'Jobs of a queue at once' })
  declare concurrency?: number

  async run() {
    const names = this.#names()
    // Told to stop while it was starting: nobody would tell it again.
    if (!names || this.app.isTerminating || this.app.isTerminated) return
    if (names.every((name) => name === 'runs')) this.#letOthersGoFirst()
    const worker = new BackgroundWorker(names, () => this.#fail(), this.concurrency)
    this.app.terminating(() => worker.stop())
    refuseEviction((reason) => this.#fail(reason))
    const port = env.get('WORKER_PORT')
    if (port !== undefined) {
      const server = await serveStatus(worker, env.get('HOST'), port)
      this.app.terminating(() => closeStatus(server))
    }
    await worker.start()
    this.logger.info(`working on ${names.join(', ')}, ${SCHEDULE.length} schedules`)
  }

  #names(): QueueName[] | null {
    const known = Object.keys(QUEUES) as QueueName[]
    const unknown = this.queues?.find((name) => !known.includes(name as QueueName))
    if (unknown === undefined) return this.queues?.length ? (this.queues as QueueName[]) : known
    this.logger.error(`there is no queue ${unknown}: choose of ${known.join(', ')}`)
    this.exitCode = 1
    return null
  }

  /** Whoever writes workbooks has time; sales on the same machine have not. */
  #letOthersGoFirst() {
    try {
      takeLowestPriority()
    } catch (error) {
      this.logger.warning(`the priority stays as it is: ${(error as Error).message}`)
    }
  }

  /** Whoever supervises the process starts it anew. */
  #fail(reason?: string) {
    if (reason) this.logger.error(reason)
    this.exitCode = 1
    process.exitCode = 1
    this.terminate()
  }
}
