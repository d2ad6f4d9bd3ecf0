import type { ApplicationService } from '@adonisjs/core/types'

/** Ends a process that can't work with its database, before it serves or stores anything. */
export default class DatabaseChecksProvider {
  constructor(protected app: ApplicationService) {}

  async start() {
    if (!['web', 'console'].includes(this.app.getEnvironment())) return
    const { runsOwnerCommand } = await import('#console/owner_commands')
    // The owner makes what is checked here.
    if (runsOwnerCommand()) return
    const { refuseUnfitDatabase } = await import('#start/database_checks')
    const { endWithFailure } = await import('#start/report_failure')
    await refuseUnfitDatabase(endWithFailure)
  }
}
