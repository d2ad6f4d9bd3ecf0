import { applyPrivileges } from '#database/roles'
import LucidMigrationRun from '@adonisjs/lucid/commands/migration/run'
import { setTimeout as delay } from 'node:timers/promises'

/** SQLSTATE of a deadlock and of a lock that was waited for too long: sales were in the way. What was done is undone, or repeatable. */
const IN_THE_WAY = ['40P01', '55P03']
/** Of the command, whichever migrations they fail at. */
const MOST_ATTEMPTS = 20
const PAUSE_MS = 500

/**
 * Lucid's command, as the owner of the tables, who then gives the application and reports what `database/privileges.ts` says. While
 * the former release sells, a migration may meet sales that lock the same tables in another order: it runs again.
 */
export default class MigrationRun extends LucidMigrationRun {
  override async run() {
    // Not above: every command loads this one, and the build has no settings.
    const { assertNoPowers, assertOneDatabase, assertOwner, assertRolesExist, namedRoles } =
      await import('#console/owner_connection')
    const db = await this.app.container.make('lucid.db')
    const connection = this.connection || db.primaryConnectionName
    const roles = namedRoles()
    const reports = roles.reports?.name
    const granted = [roles.application.name, ...(reports ? [reports] : [])]
    assertOneDatabase()
    await assertOwner(db.connection(connection))
    if (roles.owner) {
      await assertRolesExist(db.connection(connection), granted)
      await assertNoPowers(db.connection(connection), granted)
    }
    await this.#migrate()
    if (this.exitCode || this.dryRun) return
    if (roles.owner) {
      const application = roles.application.name
      await applyPrivileges(db.connection(connection), { application, reports })
    } else {
      this.logger.warning(OWNS_TABLES)
    }
  }

  async #migrate() {
    for (let attempt = 1; ; attempt++) {
      await super.run()
      const { code } = (this.error ?? {}) as { code?: string }
      if (!this.exitCode || !IN_THE_WAY.includes(code ?? '') || attempt === MOST_ATTEMPTS) return
      this.logger.warning(`Sales were in the way (${code}); what is left runs again`)
      this.exitCode = undefined
      this.error = undefined
      await delay(PAUSE_MS)
    }
  }
}

const OWNS_TABLES =
  'The role of DATABASE_URL owns the tables, and could drop what protects the journal and money: set OWNER_DATABASE_URL (docs/production.md)'
