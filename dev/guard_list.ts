import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type Guard, SCHEMA_VERSION, SELECT_GUARDS } from '../database/guard_definitions.ts'
import { root } from './paths.ts'

/** Compared with a running database by the invariant `tables_are_guarded`. */
export const GUARD_LIST = 'database/guards.ts'

/** Writes what a migrated database has. */
export async function writeGuardList(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c timezone=UTC' })
  await client.connect()
  try {
    const { rows: guards } = await client.query<Guard>(SELECT_GUARDS)
    const { rows } = await client.query<{ version: number }>(`SELECT ${SCHEMA_VERSION} AS version`)
    await writeFile(join(root, GUARD_LIST), renderGuardList(rows[0].version, guards))
  } finally {
    await client.end()
  }
}

const renderGuardList = (version: number, guards: Guard[]) =>
  [
    '/** Generated from a migrated database by `npm test -- --generated` (dev/guard_list.ts): each guard and the hash of its definition. */',
    `export const GUARDED_VERSION = ${version}`,
    '',
    'export const GUARDS: Readonly<Record<string, string>> = {',
    ...guards.map(({ name, hash }) => `  '${name}': '${hash}',`),
    '}',
    '',
  ].join('\n')
