import type { ApplicationService } from '@adonisjs/core/types'

/** Limits the PostgreSQL connections of a web process, so that some are always left for confirms and cancels. */
export default class ConnectionsProvider {
  constructor(protected app: ApplicationService) {}

  async boot() {
    if (!['web', 'test'].includes(this.app.getEnvironment())) return
    const { limitConnections } = await import('#shared/connection_places')
    const emitter = await this.app.container.make('emitter')
    emitter.on('db:connection:connect', ({ client }) => limitConnections(client!.client))
  }
}
