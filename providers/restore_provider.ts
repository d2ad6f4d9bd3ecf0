import type { ApplicationService } from '@adonisjs/core/types'

/** Looks, before a web process serves, whether the database was restored; a worker does so itself. */
export default class RestoreProvider {
  constructor(protected app: ApplicationService) {}

  async start() {
    if (this.app.getEnvironment() !== 'web') return
    const { noteStart } = await import('#restores/note_start')
    await noteStart('web')
  }
}
