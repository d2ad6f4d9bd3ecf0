import { pbkdf2Sync, createHash, createHmac, randomBytes } from 'node:crypto'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import {
  APPLICATION_FUNCTIONS,
  APPLICATION_PRIVILEGES,
  APPLICATION_SEQUENCES,
  privilegesOf,
} from './privileges.js'

/** A role of PostgreSQL, as the address of a database names it. */
export interface Login {
  name: string
  password: string
}

export function loginOf(databaseUrl: string): Login {
  const { username, password } = new URL(databaseUrl)
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) }
}

interface Roles {
  application: string
  reports?: string
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** What the role has been granted on each relation of `public`, as `privilegesOf` writes it. */
const GRANTED = `
  SELECT c.relname AS name, c.relkind AS kind,
         ARRAY(SELECT privilege_type FROM aclexplode(c.relacl) WHERE grantee = r.oid) AS privileges,
         ARRAY(SELECT a.attname::text FROM pg_attribute a, aclexplode(a.attacl)
                WHERE a.attrelid = c.oid AND grantee = r.oid AND privilege_type = 'UPDATE') AS columns
    FROM pg_class c, pg_roles r
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S') AND NOT c.relispartition AND r.rolname = ?`

/**
 * Relations on which a role has more than it should, whoever gave it: reports anything but reading the views of their schema, the
 * application anything on a partition by its own name or in another schema. Its rights on the relations of `public` are `GRANTED`.
 */
const EXCESS = `
  SELECT DISTINCT CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind, format('%I.%I', n.nspname, c.relname) AS name
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_roles r ON r.rolname = :role,
         LATERAL (SELECT privilege_type, grantee FROM aclexplode(c.relacl)
                   UNION ALL
                  SELECT privilege_type || ' of a column', a.grantee FROM pg_attribute, aclexplode(attacl) a WHERE attrelid = c.oid) given
   WHERE given.grantee = r.oid AND pg_has_role(c.relowner, 'USAGE')
     AND CASE WHEN :isReports THEN NOT (n.nspname = 'reports' AND c.relkind = 'v' AND privilege_type = 'SELECT')
              ELSE n.nspname <> 'public' OR c.relispartition END`

interface Granted {
  name: string
  kind: 'r' | 'p' | 'v' | 'S'
  privileges: string[]
  columns: string[]
}

/** What the application has too much, or not yet, besides its rights on relations. */
interface OtherRights {
  database: string
  temporary: boolean
  create: boolean
  usage: boolean
  functions: string[]
}

function wantedOf({ name, kind }: Granted) {
  if (kind === 'v') return privilegesOf({})
  if (kind !== 'S') return privilegesOf(APPLICATION_PRIVILEGES[name])
  const isNamed = (APPLICATION_SEQUENCES as readonly string[]).includes(name)
  return { privileges: isNamed ? ['SELECT', 'USAGE'] : ['SELECT'], columns: [] }
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.toSorted().join() === other.toSorted().join()

function grantsOf(relation: Granted, role: string): string[] {
  const wanted = wantedOf(relation)
  if (isSame(relation.privileges, wanted.privileges) && isSame(relation.columns, wanted.columns))
    return []
  const what = `${relation.kind === 'S' ? 'SEQUENCE' : 'TABLE'} ${quoted(relation.name)}`
  const columns = wanted.columns.map(quoted).join(', ')
  const granted = [...wanted.privileges, ...(columns ? [`UPDATE (${columns})`] : [])].join(', ')
  return [
    `REVOKE ALL ON ${what} FROM ${quoted(role)}`,
    ...(granted ? [`GRANT ${granted} ON ${what} TO ${quoted(role)}`] : []),
  ]
}

/**
 * Gives the roles what `privileges.ts` says, and takes away everything else, in one transaction of the owner. Writes nothing when
 * nothing differs. Throws for a table without a line, and for a line without a table.
 */
export async function applyPrivileges(owner: QueryClientContract, roles: Roles): Promise<void> {
  await owner.transaction(async (trx) => {
    const rowsOf = async <Row>(sql: string, ...values: string[]) => {
      const { rows } = await trx.rawQuery(sql, values)
      return rows as Row[]
    }
    const relations = await rowsOf<Granted>(GRANTED, roles.application)
    assertEveryTableHasALine(relations)
    const statements = relations.flatMap((relation) => grantsOf(relation, roles.application))
    const [rights] = await rowsOf<OtherRights>(
      `SELECT current_database() AS database, has_database_privilege(name, current_database(), 'TEMPORARY') AS temporary,
              has_schema_privilege(name, 'public', 'CREATE') AS create, NOT has_schema_privilege(name, 'public', 'USAGE') AS usage,
              ARRAY(SELECT f FROM unnest(?::text[]) f WHERE NOT has_function_privilege(name, f, 'EXECUTE')) AS functions
         FROM (VALUES (?)) role (name)`,
      `{${APPLICATION_FUNCTIONS.map((each) => `"${each}"`).join()}}`,
      roles.application
    )
    const application = quoted(roles.application)
    // Clusters that were made before PostgreSQL 15 let everybody create tables.
    if (rights.create) statements.push('REVOKE CREATE ON SCHEMA public FROM PUBLIC')
    // PostgreSQL gives it to everybody. It stands with the database, so that neither a copy nor a restored dump has it taken away.
    if (rights.temporary)
      statements.push(
        `REVOKE TEMPORARY ON DATABASE ${quoted(rights.database)} FROM PUBLIC, ${application}`
      )
    if (rights.usage) statements.push(`GRANT USAGE ON SCHEMA public TO ${application}`)
    for (const each of rights.functions)
      statements.push(`GRANT EXECUTE ON FUNCTION ${each} TO ${application}`)
    if (roles.reports) {
      const reports = quoted(roles.reports)
      const [{ isGranted }] = await rowsOf<{ isGranted: boolean }>(
        `SELECT has_schema_privilege(?, 'reports', 'USAGE') AND coalesce(bool_and(has_table_privilege(?, oid, 'SELECT')), true)
             AS "isGranted" FROM pg_class WHERE relnamespace = 'reports'::regnamespace AND relkind = 'v'`,
        roles.reports,
        roles.reports
      )
      if (!isGranted)
        statements.push(
          `GRANT USAGE ON SCHEMA reports TO ${reports}`,
          `GRANT SELECT ON ALL TABLES IN SCHEMA reports TO ${reports}`
        )
    }
    for (const [role, isReports] of [
      [roles.application, false],
      [roles.reports, true],
    ] as const) {
      if (!role) continue
      const { rows } = await trx.rawQuery(EXCESS, { role, isReports })
      for (const { kind, name } of rows as { kind: string; name: string }[])
        statements.push(`REVOKE ALL ON ${kind} ${name} FROM ${quoted(role)}`)
    }
    for (const statement of statements) await trx.rawQuery(statement)
  })
}

function assertEveryTableHasALine(relations: readonly Granted[]) {
  const tables = relations
    .filter(({ kind }) => kind === 'r' || kind === 'p')
    .map(({ name }) => name)
  const lines = Object.keys(APPLICATION_PRIVILEGES)
  const without = tables.filter((name) => !lines.includes(name))
  if (without.length > 0)
    throw new Error(`database/privileges.ts has no line for ${without.join(', ')}`)
  const gone = lines.filter((name) => !tables.includes(name))
  if (gone.length > 0)
    throw new Error(`database/privileges.ts has lines without a table: ${gone.join(', ')}`)
}

/** What a role that only reads may cost the others. */
const REPORTS_SETTINGS = ['default_transaction_read_only = on', "statement_timeout = '5min'"]

/** Creates the two roles that don't exist, and gives both their passwords. The owner must be allowed to create roles. */
export async function createRoles(
  owner: QueryClientContract,
  application: Login,
  reports?: Login
): Promise<void> {
  await owner.transaction(async (trx) => {
    await createRole(trx, application)
    if (!reports) return
    await createRole(trx, reports)
    for (const setting of REPORTS_SETTINGS)
      await trx.rawQuery(`ALTER ROLE ${quoted(reports.name)} SET ${setting}`)
  })
}

async function createRole(owner: QueryClientContract, { name, password }: Login) {
  const { rows } = await owner.rawQuery('SELECT FROM pg_roles WHERE rolname = ?', [name])
  if (rows.length === 0)
    await owner.rawQuery(`CREATE ROLE ${quoted(name)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE`)
  if (password)
    await owner.rawQuery(`ALTER ROLE ${quoted(name)} PASSWORD '${scramVerifier(password)}'`)
}

const ITERATIONS = 4096

/** What PostgreSQL stores of a password (RFC 5802), so that the password itself is in no log of statements. */
export function scramVerifier(password: string, salt = randomBytes(16)): string {
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256')
  const keyOf = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  const serverKey = keyOf('Server Key').toString('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
