import env from '#start/env'
import { endWithFailure } from '#start/report_failure'
import { QUEUES, SCHEDULE, type QueueName } from '#start/schedule'
import { BackgroundWorker } from '#worker/background_worker'
import { noteStart } from '#restores/note_start'
import { takeLowestPriority } from '#worker/lowest_priority'
import { refuseEviction } from '#worker/redis_policy'
import { closeStatus, serveStatus } from '#worker/status_server'
import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'

/** Sales on the same machine come first. */
const PATIENT: QueueName[] = ['runs', 'invariants']

export default class QueueWork extends BaseCommand {
  static commandName = 'queue:work'
  static description = 'Run the scheduled jobs; any number of workers may run'
  static options: CommandOptions = { startApp: true, staysAlive: true }

  @flags.array({
    description:
      'Queues to work on: clock, checks, invariants, webhooks, runs, mails; all by default',
  })
  declare queues?: string[]

  @flags.number({ description: 'Jobs of a queue at once' })
  declare concurrency?: number

  async run() {
    const names = this.#names()
    if (!names || this.#isStopped) return
    if (names.every((name) => PATIENT.includes(name))) this.#lowerPriority()
    let worker: BackgroundWorker | undefined
    // Before the worker takes its first job: without its port it would work unseen by its supervisor.
    await this.#serveStatus(() => worker?.isReady ?? false)
    // Before a job writes to the journal: what a restore has lost is seen by the newest entry.
    await noteStart('worker')
    if (this.#isStopped) return
    worker = new BackgroundWorker(names, () => this.#fail(), this.concurrency)
    this.app.terminating(() => worker!.stop())
    refuseEviction((reason) => this.#fail(reason))
    await worker.start()
    this.logger.info(`working on ${names.join(', ')}, ${SCHEDULE.length} schedules`)
  }

  async #serveStatus(isReady: () => boolean) {
    const port = env.get('WORKER_PORT')
    if (port === undefined) return
    const server = await serveStatus(isReady, env.get('HOST'), port).catch(endWithFailure)
    if (this.#isStopped) return closeStatus(server)
    this.app.terminating(() => closeStatus(server))
  }

  /** A stop signal that came during the start is not sent again, and hooks that are added after it do not run. */
  get #isStopped() {
    return this.app.isTerminating || this.app.isTerminated
  }

  #names(): QueueName[] | null {
    const known = Object.keys(QUEUES) as QueueName[]
    const unknown = this.queues?.find((name) => !known.includes(name as QueueName))
    if (unknown === undefined) return this.queues?.length ? (this.queues as QueueName[]) : known
    this.logger.error(`there is no queue ${unknown}: choose from ${known.join(', ')}`)
    this.exitCode = 1
    return null
  }

  #lowerPriority() {
    try {
      takeLowestPriority()
    } catch (error) {
      this.logger.warning(`the priority could not be lowered: ${(error as Error).message}`)
    }
  }

  /** Ends the process with an error; its supervisor restarts it. */
  #fail(reason?: string) {
    if (reason) this.logger.error(reason)
    this.exitCode = 1
    process.exitCode = 1
    this.terminate()
  }
}
