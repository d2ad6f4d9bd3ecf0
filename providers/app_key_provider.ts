import type { ApplicationService } from '@adonisjs/core/types'

/** Ends a process whose APP_KEY can't open what is stored, before it serves or stores anything. */
export default class AppKeyProvider {
  constructor(protected app: ApplicationService) {}

  async start() {
    if (!['web', 'console'].includes(this.app.getEnvironment())) return
    const { refuseOtherAppKey } = await import('#start/app_key')
    const { endWithFailure } = await import('#start/report_failure')
    await refuseOtherAppKey(endWithFailure)
  }
}
