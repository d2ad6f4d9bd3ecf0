import pg from 'pg'

/** Connections of the tests, apart from the pool of the server under load; the owner sees what all others wait for. */
export const watcher = new pg.Pool({
  connectionString: process.env.OWNER_DATABASE_URL,
  max: 4,
  allowExitOnIdle: true,
  application_name: 'races',
})
watcher.on('error', () => {})

type Row = Record<string, any>

export async function rows(text: string, values: unknown[] = []): Promise<Row[]> {
  const result = await watcher.query<Row>(text, values)
  return result.rows
}

export async function count(text: string, values: unknown[] = []): Promise<number> {
  const [row] = await rows(text, values)
  return Number(Object.values(row)[0])
}

export const deadlocks = () =>
  count('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')
