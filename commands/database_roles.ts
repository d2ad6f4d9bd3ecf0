import {
  assertNoPowers,
  assertOneDatabase,
  assertOwner,
  namedRoles,
  OwnerRefused,
} from '#console/owner_connection'
import { createRoles } from '#database/roles'
import { BaseCommand } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import db from '@adonisjs/lucid/services/db'

/** `migration:run` gives the roles their rights; this makes that there are roles to give them to. */
export default class DatabaseRoles extends BaseCommand {
  static commandName = 'database:roles'
  static description =
    'Create the roles of DATABASE_URL and REPORTS_DATABASE_URL, with the passwords there'
  static options: CommandOptions = { startApp: true }

  async run() {
    const { application, owner, reports } = namedRoles()
    if (!owner)
      throw new OwnerRefused(
        'OWNER_DATABASE_URL must name another role than DATABASE_URL: the one that owns the tables, while the application only uses them'
      )
    assertOneDatabase()
    const names = [application, ...(reports ? [reports] : [])].map(({ name }) => name)
    await assertOwner(db.connection())
    await assertNoPowers(db.connection(), names)
    await createRoles(db.connection(), application, reports).catch((error: { code?: string }) => {
      if (error.code !== INSUFFICIENT_PRIVILEGE) throw error
      throw new OwnerRefused(
        `OWNER_DATABASE_URL: the role ${owner.name} may not create roles or set their passwords; let an administrator do it once (docs/production.md)`
      )
    })
    this.logger.success(`${names.join(' and ')} can sign in; migration:run gives them their rights`)
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'
