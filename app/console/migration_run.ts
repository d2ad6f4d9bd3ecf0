import { applyPrivileges } from '#database/roles'
import LucidMigrationRun from '@adonisjs/lucid/commands/migration/run'

/** Lucid's command, as the owner of the tables, who then gives the application and reports what `database/privileges.ts` says. */
export default class MigrationRun extends LucidMigrationRun {
  override async run() {
    // Not above: every command loads this one, and the build has no settings.
    const { assertOneDatabase, assertOwner, assertRolesExist, namedRoles } =
      await import('#console/owner_connection')
    const db = await this.app.container.make('lucid.db')
    const connection = this.connection || db.primaryConnectionName
    const roles = namedRoles()
    const reports = roles.reports?.name
    const granted = [roles.application.name, ...(reports ? [reports] : [])]
    assertOneDatabase()
    await assertOwner(db.connection(connection))
    if (roles.owner) await assertRolesExist(db.connection(connection), granted)
    await super.run()
    if (this.exitCode || this.dryRun) return
    if (roles.owner) {
      const application = roles.application.name
      await applyPrivileges(db.connection(connection), { application, reports })
    } else {
      this.logger.warning(OWNS_TABLES)
    }
  }
}

const OWNS_TABLES =
  'The role of DATABASE_URL owns the tables, and could drop what protects the journal and money: set OWNER_DATABASE_URL (docs/production.md)'
