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

/** What the role has been granted on each relation of `public`, of the whole and of columns: `INSERT`, `UPDATE ("status")`. */
const GRANTED = `
  SELECT c.relname AS name, c.relkind AS kind, ARRAY(
           SELECT privilege_type || CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
             FROM aclexplode(c.relacl) WHERE grantee = r.oid
            UNION ALL
           SELECT format('%s ("%s")', privilege_type, a.attname) || CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
             FROM pg_attribute a, aclexplode(a.attacl) WHERE a.attrelid = c.oid AND grantee = r.oid) AS privileges
    FROM pg_class c, pg_roles r
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S') AND NOT c.relispartition AND r.rolname = ?`

/** A relation or function of ours; what an extension brings may be granted to everybody. */
const IS_OURS = `
  n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND (who.name <> 'PUBLIC' OR n.nspname IN ('public', 'reports', 'archive'))
  AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = c.tableoid AND objid = c.oid AND deptype = 'e')`

/**
 * Relations of the owner on which a role has more than it should: everybody anything at all, reports anything but reading the views
 * of their schema, the application anything on a partition by its own name or in another schema. The rights of the application on
 * the relations of `public` are `GRANTED`. The owner can't take away what another role passed on: `tables_are_guarded` shows that.
 */
const EXCESS_ON_RELATIONS = `
  SELECT CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind, format('%I.%I', n.nspname, c.relname) AS name, who.name AS role
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
         LATERAL (SELECT privilege_type, grantee FROM aclexplode(c.relacl)
                   UNION ALL
                  SELECT privilege_type || ' of a column', a.grantee FROM pg_attribute, aclexplode(attacl) a WHERE attrelid = c.oid) given
    JOIN grantees who ON who.oid = given.grantee
   WHERE pg_has_role(c.relowner, 'USAGE') AND ${IS_OURS}
     AND CASE who.name WHEN 'PUBLIC' THEN true
                       WHEN :reports THEN NOT (n.nspname = 'reports' AND c.relkind = 'v' AND privilege_type = 'SELECT')
                       ELSE n.nspname <> 'public' OR c.relispartition END`

/** Functions with the owner's rights that a role may call and should not. PostgreSQL lets everybody call a new one. */
const EXCESS_ON_FUNCTIONS = `
  SELECT 'FUNCTION', format('%I.%I(%s)', n.nspname, c.proname, pg_get_function_identity_arguments(c.oid)), who.name
    FROM pg_proc c JOIN pg_namespace n ON n.oid = c.pronamespace,
         LATERAL aclexplode(coalesce(proacl, acldefault('f', proowner))) given JOIN grantees who ON who.oid = given.grantee
   WHERE prosecdef AND prorettype <> 'trigger'::regtype AND pg_has_role(proowner, 'USAGE') AND ${IS_OURS}
     AND NOT (who.name = :application AND c.oid IN (SELECT f::regprocedure FROM unnest(CAST(:functions AS text[])) f))`

/** Clusters that were made before PostgreSQL 15 let everybody create in the schema `public`. */
const EXCESS_ON_SCHEMAS = `
  SELECT 'SCHEMA', quote_ident(n.nspname), who.name
    FROM pg_namespace c JOIN pg_namespace n ON n.oid = c.oid, LATERAL aclexplode(c.nspacl) given JOIN grantees who ON who.oid = given.grantee
   WHERE given.privilege_type = 'CREATE' AND pg_has_role(c.nspowner, 'USAGE') AND ${IS_OURS}`

/**
 * PostgreSQL lets everybody create temporary tables. The right stands with the database, so that neither a copy nor a restored dump
 * has it taken away.
 */
const EXCESS_ON_DATABASE = `
  SELECT 'DATABASE', quote_ident(datname), who.name
    FROM pg_database, LATERAL aclexplode(coalesce(datacl, acldefault('d', datdba))) given JOIN grantees who ON who.oid = given.grantee
   WHERE datname = current_database() AND given.privilege_type <> 'CONNECT' AND pg_has_role(datdba, 'USAGE')`

const EXCESS = `
  WITH grantees (oid, name) AS (
    SELECT CAST(0 AS oid), 'PUBLIC' UNION ALL SELECT oid, CAST(rolname AS text) FROM pg_roles WHERE rolname IN (:application, :reports))
  ${[EXCESS_ON_RELATIONS, EXCESS_ON_FUNCTIONS, EXCESS_ON_SCHEMAS, EXCESS_ON_DATABASE].join('\n  UNION')}`

/** Kind of object in `EXCESS` → what is taken away there. */
const REVOKED = {
  TABLE: 'ALL',
  SEQUENCE: 'ALL',
  FUNCTION: 'ALL',
  SCHEMA: 'CREATE',
  DATABASE: 'CREATE, TEMPORARY',
}

interface Granted {
  name: string
  kind: 'r' | 'p' | 'v' | 'S'
  privileges: string[]
}

interface Excess {
  kind: keyof typeof REVOKED
  name: string
  role: string
}

/** What the application has not yet, besides its rights on relations. */
interface OtherRights {
  usage: boolean
  functions: string[]
}

function wantedOf({ name, kind }: Granted): string[] {
  if (kind === 'v') return ['SELECT']
  if (kind === 'S') return isDrawnFrom(name) ? ['SELECT', 'USAGE'] : ['SELECT']
  const { privileges, columns } = privilegesOf(APPLICATION_PRIVILEGES[name])
  return [...privileges, ...columns.map((column) => `UPDATE (${quoted(column)})`)]
}

const isDrawnFrom = (sequence: string) =>
  (APPLICATION_SEQUENCES as readonly string[]).includes(sequence)

function grantsOf(relation: Granted, role: string): string[] {
  const wanted = wantedOf(relation)
  if (relation.privileges.toSorted().join() === wanted.toSorted().join()) return []
  const what = `${relation.kind === 'S' ? 'SEQUENCE' : 'TABLE'} ${quoted(relation.name)}`
  return [
    `REVOKE ALL ON ${what} FROM ${quoted(role)}`,
    `GRANT ${wanted.join(', ')} ON ${what} TO ${quoted(role)}`,
  ]
}

/** As an array of PostgreSQL. */
const FUNCTIONS = `{${APPLICATION_FUNCTIONS.map((each) => `"${each}"`).join()}}`

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
    // Before the grants, since `REVOKE ALL` also takes away what the role should have.
    const { rows: excess } = await trx.rawQuery(EXCESS, {
      application: roles.application,
      reports: roles.reports ?? '',
      functions: FUNCTIONS,
    })
    for (const { kind, name, role } of excess as Excess[]) {
      const from = role === 'PUBLIC' ? role : quoted(role)
      await trx.rawQuery(`REVOKE ${REVOKED[kind]} ON ${kind} ${name} FROM ${from}`)
    }
    const relations = await rowsOf<Granted>(GRANTED, roles.application)
    assertEveryTableHasALine(relations)
    const statements = relations.flatMap((relation) => grantsOf(relation, roles.application))
    const [rights] = await rowsOf<OtherRights>(
      `SELECT NOT has_schema_privilege(name, 'public', 'USAGE') AS usage,
              ARRAY(SELECT f FROM unnest(?::text[]) f JOIN pg_proc p ON p.oid = f::regprocedure
                     WHERE NOT EXISTS (SELECT FROM aclexplode(proacl) WHERE grantee = quote_ident(name)::regrole)) AS functions
         FROM (VALUES (?)) role (name)`,
      FUNCTIONS,
      roles.application
    )
    const application = quoted(roles.application)
    if (rights.usage) statements.push(`GRANT USAGE ON SCHEMA public TO ${application}`)
    for (const each of rights.functions)
      statements.push(`GRANT EXECUTE ON FUNCTION ${each} TO ${application}`)
    if (roles.reports) {
      const reports = quoted(roles.reports)
      const [{ isGranted }] = await rowsOf<{ isGranted: boolean }>(
        `SELECT has_schema_privilege(?, 'reports', 'USAGE') AND coalesce(bool_and(EXISTS (
                  SELECT FROM aclexplode(relacl) JOIN pg_roles r ON r.oid = grantee WHERE rolname = ? AND privilege_type = 'SELECT')), true)
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

/**
 * Powers that only an administrator of the cluster gives and takes away, each as the statement that takes it away. A role that
 * belongs to another one has the rights of that one too; `session_replication_role` switches triggers off.
 */
const POWERS = `
  WITH roles AS (SELECT oid, rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls
                   FROM pg_roles WHERE rolname = ANY (?::text[]))
  SELECT format('ALTER ROLE %I NO%s', rolname, power) AS statement
    FROM roles, LATERAL (VALUES ('SUPERUSER', rolsuper), ('CREATEROLE', rolcreaterole), ('CREATEDB', rolcreatedb),
                        ('REPLICATION', rolreplication), ('BYPASSRLS', rolbypassrls)) powers (power, is_given) WHERE is_given
   UNION ALL
  SELECT format('REVOKE %I FROM %I', pg_get_userbyid(m.roleid), rolname) FROM roles JOIN pg_auth_members m ON m.member = roles.oid
   UNION ALL
  SELECT DISTINCT format('REVOKE ALL ON PARAMETER %s FROM %s', parname, coalesce(quote_ident(rolname), 'PUBLIC'))
    FROM pg_parameter_acl, aclexplode(paracl) given LEFT JOIN roles ON roles.oid = given.grantee
   WHERE given.grantee = 0 OR rolname IS NOT NULL
   ORDER BY statement`

/** The statements by which an administrator takes from these roles what their owner can't; empty when all are as they should. */
export async function listPowers(client: QueryClientContract, roles: string[]): Promise<string[]> {
  const { rows } = await client.rawQuery(POWERS, [roles])
  return (rows as { statement: string }[]).map(({ statement }) => statement)
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
