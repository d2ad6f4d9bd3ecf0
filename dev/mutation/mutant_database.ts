import pg from 'pg'

const NAME = 'mutant'

/** Gives each mutant a database of its own, copied from the migrated one in a fraction of the time of the migrations. */
export class MutantDatabase {
  /** The settings that name the copy, by role. */
  readonly variables: Record<string, string>
  readonly #migrated: URL

  constructor(env: NodeJS.ProcessEnv) {
    this.#migrated = new URL(env.OWNER_DATABASE_URL!)
    const named = ['DATABASE_URL', 'OWNER_DATABASE_URL', 'REPORTS_DATABASE_URL'].map((setting) => [
      setting,
      inDatabase(env[setting]!, NAME),
    ])
    this.variables = Object.fromEntries(named)
  }

  /** A fresh copy, on which the statements have run. */
  async create(sql?: string) {
    await this.#run('postgres', `DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`)
    await this.#run(
      'postgres',
      `CREATE DATABASE ${NAME} TEMPLATE ${this.#migrated.pathname.slice(1)}`
    )
    // A copy has everything of its template but the rights on the database itself.
    await this.#run('postgres', `REVOKE TEMPORARY ON DATABASE ${NAME} FROM PUBLIC`)
    if (sql) await this.#run(NAME, sql)
  }

  async #run(database: string, sql: string) {
    const client = new pg.Client({ connectionString: inDatabase(this.#migrated.href, database) })
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
}

function inDatabase(address: string, name: string) {
  const url = new URL(address)
  url.pathname = `/${name}`
  return url.href
}
