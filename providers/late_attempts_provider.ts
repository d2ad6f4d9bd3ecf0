import type { ApplicationService } from '@adonisjs/core/types'

/** Records or saves the confirms that still wait to be recorded: after the last answer, before the database is closed. */
export default class LateAttemptsProvider {
  constructor(protected app: ApplicationService) {}

  async shutdown() {
    if (this.app.getEnvironment() !== 'web') return
    const { closeLateAttempts } = await import('#sales/confirm_order/late_attempts')
    await closeLateAttempts()
  }
}
