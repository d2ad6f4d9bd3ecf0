import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Product } from './types.ts'

/** Time for all backends to load a changed setting, and for the log to be written. */
const SETTLED_MS = 300
/** `dev/judged_product.ts` names the connections of the web process. */
const EXECUTED = /judged-web LOG:\s+(?:execute [^:]+|statement): /

/** The first lines of all statements of the web process while `act` runs, from PostgreSQL's own log. */
export async function statementsDuring(
  { ownerDatabaseUrl, scratchDirectory }: Product,
  act: () => Promise<unknown>
): Promise<string[]> {
  const admin = new pg.Client({ connectionString: ownerDatabaseUrl })
  await admin.connect()
  const file = join(scratchDirectory, 'postgres.log')
  try {
    await admin.query(`ALTER SYSTEM SET log_line_prefix = '%m [%p] %a '`)
    await setLogging(admin, 'all')
    const { size } = await stat(file)
    await act()
    await delay(SETTLED_MS)
    const log = await readFile(file)
    const lines = log.subarray(size).toString().split('\n')
    return lines
      .filter((line) => EXECUTED.test(line))
      .map((line) => line.replace(/^.*?LOG:\s+/, ''))
  } finally {
    await setLogging(admin, 'none')
    await admin.end()
  }
}

async function setLogging(admin: pg.Client, what: 'all' | 'none') {
  await admin.query(`ALTER SYSTEM SET log_statement = '${what}'`)
  await admin.query('SELECT pg_reload_conf()')
  await delay(SETTLED_MS)
}
