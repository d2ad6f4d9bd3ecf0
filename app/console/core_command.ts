import { Refusal } from '#shared/refusals'
import { BaseCommand } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'

/** A command that runs a use case; a refusal is printed and ends with exit code 1. */
export abstract class CoreCommand extends BaseCommand {
  static options: CommandOptions = { startApp: true }

  protected abstract perform(): Promise<void>

  async run() {
    try {
      await this.perform()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.logger.error(`${error.refusalCode}: ${error.message}`)
      if (Object.keys(error.details).length > 0) this.logger.error(JSON.stringify(error.details))
      this.exitCode = 1
    }
  }

  /** The author in the journal: the user of the shell. */
  protected get actor() {
    return { kind: 'console', name: process.env.USER ?? 'shell', requestId: null } as const
  }
}
