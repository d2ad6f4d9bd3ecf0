import { listPowers, loginOf } from '#database/roles'
import env from '#start/env'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** A setting that an owner's command can't work with: printed without a stack, and the process ends with code 1. */
export class OwnerRefused extends Error {
  render(error: Error) {
    process.stderr.write(`${error.message}\n`)
  }
}

/** The roles that the settings name; without `owner`, the application's role owns its tables, as before roles were apart. */
export function namedRoles() {
  const application = loginOf(env.get('DATABASE_URL'))
  const [ownerUrl, reportsUrl] = [env.get('OWNER_DATABASE_URL'), env.get('REPORTS_DATABASE_URL')]
  const owner = ownerUrl ? loginOf(ownerUrl) : undefined
  return {
    application,
    owner: owner?.name === application.name ? undefined : owner,
    reports: reportsUrl ? loginOf(reportsUrl) : undefined,
  }
}

const nameOfDatabase = (url: string) => new URL(url).pathname

/** Refuses addresses of two databases: rights would be given in one, and used in the other. */
export function assertOneDatabase() {
  const wanted = nameOfDatabase(env.get('DATABASE_URL'))
  for (const setting of ['OWNER_DATABASE_URL', 'REPORTS_DATABASE_URL'] as const) {
    const url = env.get(setting)
    if (url && nameOfDatabase(url) !== wanted)
      throw new OwnerRefused(
        `${setting} names the database ${nameOfDatabase(url)}, DATABASE_URL ${wanted}: both must be the same one`
      )
  }
}

interface Ability {
  role: string
  foreign_table: string | null
  foreign_owner: string | null
  may_create: boolean
}

const ABILITY = `
  SELECT current_user::text AS role, t.relname::text AS foreign_table, pg_get_userbyid(t.relowner)::text AS foreign_owner,
         has_schema_privilege('public', 'CREATE') AND has_database_privilege(current_database(), 'CREATE') AS may_create
    FROM (VALUES (1)) one
    LEFT JOIN LATERAL (SELECT relname, relowner FROM pg_class
                        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT pg_has_role(relowner, 'USAGE')
                        ORDER BY relname LIMIT 1) t ON true`

/** Refuses a role that can't change the tables, with the name of the setting that is to be corrected. */
export async function assertOwner(client: QueryClientContract) {
  const setting = env.get('OWNER_DATABASE_URL') ? 'OWNER_DATABASE_URL' : 'DATABASE_URL'
  const { rows } = await client.rawQuery(ABILITY).catch((error: Error) => {
    throw new OwnerRefused(`${setting}: ${error.message}`)
  })
  const [{ role, foreign_table: table, foreign_owner: owner, may_create: mayCreate }] =
    rows as Ability[]
  const advice =
    setting === 'DATABASE_URL'
      ? 'set OWNER_DATABASE_URL to the address with the owner of the tables (docs/production.md)'
      : 'name the role that owns the tables (docs/production.md)'
  if (table)
    throw new OwnerRefused(
      `${setting}: the role ${role} does not own the table ${table}, ${owner} does; ${advice}`
    )
  if (!mayCreate)
    throw new OwnerRefused(
      `${setting}: the role ${role} may not create schemas and tables in this database; ${advice}`
    )
}

/** Refuses when a role that gets rights does not exist yet. */
export async function assertRolesExist(client: QueryClientContract, names: string[]) {
  const { rows } = await client.rawQuery(
    'SELECT name FROM unnest(?::text[]) name WHERE name NOT IN (SELECT rolname FROM pg_roles)',
    [names]
  )
  const missing = (rows as { name: string }[]).map(({ name }) => name)
  if (missing.length > 0)
    throw new OwnerRefused(
      `There is no role ${missing.join(' and no role ')}: node ace database:roles creates what DATABASE_URL and REPORTS_DATABASE_URL name, or an administrator does (docs/production.md)`
    )
}

/** Refuses roles that have been given what the owner can't take away, with the statements by which an administrator does. */
export async function assertNoPowers(client: QueryClientContract, names: string[]) {
  const statements = await listPowers(client, names)
  if (statements.length > 0)
    throw new OwnerRefused(
      `${names.join(' and ')} may have nothing but what database/privileges.ts says. Let an administrator run: ${statements.join('; ')}`
    )
}
