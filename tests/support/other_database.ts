import databaseConfig from '#config/database'
import testUtils from '@adonisjs/core/services/test_utils'
import db from '@adonisjs/lucid/services/db'
import type { PostgreConfig } from '@adonisjs/lucid/types/database'
import pg from 'pg'

const NAME = 'postgres'
const MIGRATIONS = 'migrations of another database'
const settings = databaseConfig.connections[NAME] as PostgreConfig
const { connectionString } = settings.connection as { connectionString: string }

/** The URL of a database of the same cluster, for a connection or a process of its own. */
export function urlOfDatabase(name: string) {
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  // A restore takes longer than a request may.
  url.searchParams.delete('options')
  return url.href
}

async function ask(name: string, work: (client: pg.Client) => Promise<void>) {
  const client = new pg.Client({ connectionString: urlOfDatabase(name) })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** Runs a statement in the database `postgres` of the cluster. */
export const maintain = (sql: string) =>
  ask('postgres', async (client) => {
    await client.query(sql)
  })

export const dropDatabase = (name: string) =>
  maintain(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)

/** An empty database of the same cluster with our tables. */
export async function createDatabase(name: string) {
  await dropDatabase(name)
  await maintain(`CREATE DATABASE ${name}`)
  await migrate(name)
}

/** By a connection of its own that may wait, as migrations may: the one of the tests gives up like a request. */
async function migrate(name: string) {
  db.manager.add(MIGRATIONS, { ...settings, connection: { connectionString: urlOfDatabase(name) } })
  try {
    await testUtils.db(MIGRATIONS).migrate()
  } finally {
    await db.manager.close(MIGRATIONS, true)
  }
}

/** The files of another database, transaction ids and all. */
export async function cloneDatabase(from: string, to: string) {
  await dropDatabase(to)
  await maintain(`CREATE DATABASE ${to} TEMPLATE ${from}`)
}

/** The whole process works with another database of the cluster, its web server included. */
export async function inDatabase<Result>(
  name: string,
  work: () => Promise<Result>
): Promise<Result> {
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  await use(url.href)
  try {
    return await work()
  } finally {
    await use(connectionString)
  }
}

/** The whole process reaches its database by another port of this machine. */
export async function byPort<Result>(port: number, work: () => Promise<Result>): Promise<Result> {
  await use(urlByPort(port))
  try {
    return await work()
  } finally {
    await use(connectionString)
  }
}

/** The address of the database of the tests by another port. */
export function urlByPort(port: number): string {
  const url = new URL(connectionString)
  url.host = `127.0.0.1:${port}`
  return url.href
}

async function use(url: string) {
  await db.manager.close(NAME)
  db.manager.patch(NAME, { ...settings, connection: { connectionString: url } })
  db.manager.connect(NAME)
}

type Rows = { table: string; json: string }[]

/** Without partitions: their rows are those of the partitioned table. */
const TABLES = `SELECT relname AS tablename FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname NOT LIKE 'adonis_%'
  ORDER BY 1`
const SEQUENCES = `SELECT sequencename AS name, last_value AS value FROM pg_sequences
  WHERE schemaname = 'public' AND last_value IS NOT NULL`

/** Without generated ones, which PostgreSQL computes again. */
const STORED_COLUMNS = `SELECT string_agg(quote_ident(column_name), ', ') AS columns FROM information_schema.columns
  WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`

/**
 * Dumps a database and restores it under another name: what pg_dump and pg_restore do with rows and sequences, for which
 * the PostgreSQL of the tests brings no program. Every value comes back as it was, in another transaction.
 */
export async function dumpAndRestore(from: string, to: string) {
  const tables: Rows = []
  const sequences: { name: string; value: bigint }[] = []
  await ask(from, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    const names = await client.query<{ tablename: string }>(TABLES)
    for (const { tablename: table } of names.rows) {
      const found = await client.query<{ json: string }>(
        `SELECT coalesce(json_agg(t), '[]')::text AS json FROM ${table} t`
      )
      tables.push({ table, json: found.rows[0].json })
    }
    const drawn = await client.query<{ name: string; value: bigint }>(SEQUENCES)
    sequences.push(...drawn.rows)
  })
  await createDatabase(to)
  await ask(to, async (client) => {
    await client.query('BEGIN')
    // As pg_restore --disable-triggers: rows come in any order and start nothing.
    await client.query(`SET LOCAL session_replication_role = 'replica'`)
    const all = tables.map(({ table }) => table).join(', ')
    await client.query(`TRUNCATE ${all}`)
    for (const { table, json } of tables) {
      const { rows } = await client.query<{ columns: string }>(STORED_COLUMNS, [table])
      const [{ columns }] = rows
      await client.query(
        `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
         SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
        [json]
      )
    }
    for (const { name, value } of sequences)
      await client.query('SELECT setval($1, $2)', [name, value])
    await client.query('COMMIT')
  })
}
