import { one } from '#tests/support/rows'
import app from '@adonisjs/core/services/app'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import db from '@adonisjs/lucid/services/db'
import { loginOf, applyPrivileges } from '#database/roles'
import env from '#start/env'

const OWNER = 'owner'

type Direction = { direction: 'up' } | { direction: 'down'; step: number }

async function run(direction: Direction) {
  const runner = new MigrationRunner(db, app, { ...direction, connectionName: OWNER })
  await runner.run()
  if (runner.error) throw runner.error
}

/** Runs all migrations that have not run, and gives the application its rights, as `migration:run` does. */
export async function migrate() {
  await run({ direction: 'up' })
  const { name: application } = loginOf(env.get('DATABASE_URL'))
  await applyPrivileges(db.connection(OWNER), { application })
}

/** Takes back the migration of this number and all later ones. */
export async function undoMigrationsFrom(number: number) {
  const { n } = await one(
    `SELECT count(*)::int AS n FROM adonis_schema WHERE substring(name FROM '/([0-9]+)_')::int >= ?`,
    number
  )
  await run({ direction: 'down', step: n as number })
}
