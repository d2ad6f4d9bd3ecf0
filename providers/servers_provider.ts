import type { ApplicationService } from '@adonisjs/core/types'

/** Ends a process whose settings name a standby, a replica, an unknown Sentinel name or a wrong password of Redis, before it serves. */
export default class ServersProvider {
  constructor(protected app: ApplicationService) {}

  async start() {
    if (!['web', 'console'].includes(this.app.getEnvironment())) return
    const { refuseWrongServers } = await import('#start/primaries')
    const { endWithFailure } = await import('#start/report_failure')
    await refuseWrongServers(endWithFailure)
  }
}
