import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { rows } from '#tests/support/rows'
import { test } from '@japa/runner'
import { COMPUTED, KEYS } from './keys.js'
import { CHECKS, DOMAINS, REFUSING_TRIGGERS, WRITING_TRIGGERS } from './rules.js'
import { rowsToBreak, type RowsToBreak } from './rows_to_break.js'

const GUARDED = Object.keys(KEYS)

interface PgError {
  /** The function of PostgreSQL's source that failed: `exec_stmt_raise` is a RAISE of a trigger. */
  routine?: string
  constraint?: string
  message: string
}

/** Writes the names of rows out: `:order` becomes the id, `::text` stays. */
const withIds = (sql: string, ids: RowsToBreak) =>
  sql.replaceAll(/(?<!:):([a-z]\w*)/gi, (_, name: keyof RowsToBreak) => {
    const id = ids[name]
    if (id === undefined) throw new Error(`There is no row :${name}`)
    return typeof id === 'number' ? String(id) : `'${id}'`
  })

/** Works in a transaction that leaves nothing, in which no trigger and no reference acts. */
async function undone<Result>(work: (trx: TransactionClientContract) => Promise<Result>) {
  const trx = await db.transaction()
  try {
    await trx.rawQuery(`SET LOCAL session_replication_role = 'replica'`)
    return await work(trx)
  } finally {
    await trx.rollback()
  }
}

/** Of all triggers, this one acts. */
const arm = (table: string, trigger: string, trx: TransactionClientContract) =>
  trx.rawQuery(`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${trigger}`)

const failureOf = async (sql: string, trx: TransactionClientContract) => {
  try {
    await trx.rawQuery(sql)
    // Constraints that wait for the end of the transaction judge now.
    await trx.rawQuery('SET CONSTRAINTS ALL IMMEDIATE')
    return undefined
  } catch (error) {
    return error as PgError
  }
}

const namesOf = (rules: Record<string, Record<string, unknown>>) =>
  Object.entries(rules).flatMap(([table, names]) =>
    Object.keys(names).map((name) => `${table}: ${name}`)
  )

test.group('Rules of the database: every one has a line', () => {
  test('every table with an amount holds keys of its own, or is named as computed', async ({
    assert,
  }) => {
    const withAmounts = await rows(
      `SELECT DISTINCT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND a.attname LIKE '%tenge%' AND NOT a.attisdropped`
    )
    const unknown = withAmounts.filter(({ name }) => ![...GUARDED, ...COMPUTED].includes(name))
    assert.deepEqual(unknown, [])
  })

  for (const [table, keys] of Object.entries(KEYS))
    test(`${table}: keys and references are those that are written down`, async ({ assert }) => {
      const found = await rows(
        `SELECT pg_get_constraintdef(oid) AS definition, convalidated AS is_valid FROM pg_constraint
          WHERE conrelid = ?::regclass AND contype IN ('p', 'u', 'f', 'x')
          UNION ALL
         SELECT 'UNIQUE INDEX ' || substring(pg_get_indexdef(indexrelid) FROM 'USING btree (.*)$'), indisvalid FROM pg_index
          WHERE indrelid = ?::regclass AND indisunique
            AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)`,
        table,
        table
      )
      const definitions = found.map(({ definition }) => definition as string)
      assert.sameMembers(definitions, keys)
      assert.isTrue(found.every((each) => each.is_valid))
    })

  test('every CHECK of these tables and of the domains', async ({ assert }) => {
    const found = await rows(
      `SELECT conrelid::regclass || ': ' || conname AS name FROM pg_constraint
        WHERE contype = 'c' AND conrelid = ANY(?::regclass[])`,
      GUARDED
    )
    const names = found.map(({ name }) => name as string)
    assert.sameMembers(names, namesOf(CHECKS))
    const domains = await rows(
      `SELECT t.typname AS name FROM pg_constraint c JOIN pg_type t ON t.oid = c.contypid
        WHERE c.contype = 'c' AND t.typnamespace = 'public'::regnamespace`
    )
    const domainNames = domains.map(({ name }) => name as string)
    assert.sameMembers(domainNames, Object.keys(DOMAINS))
  })

  test('every trigger of these tables, and none is disabled', async ({ assert }) => {
    const found = await rows(
      `SELECT tgrelid::regclass || ': ' || tgname AS name, tgenabled = 'O' AS is_enabled FROM pg_trigger
        WHERE NOT tgisinternal AND tgrelid = ANY(?::regclass[])`,
      GUARDED
    )
    const names = found.map(({ name }) => name as string)
    const written = [...namesOf(REFUSING_TRIGGERS), ...namesOf(WRITING_TRIGGERS)]
    assert.sameMembers(names, written)
    const references = await rows(
      `SELECT tgname FROM pg_trigger WHERE tgisinternal AND tgenabled <> 'O' AND tgrelid = ANY(?::regclass[])`,
      GUARDED
    )
    assert.isTrue(found.every((each) => each.is_enabled))
    assert.deepEqual(references, [])
  })
})

test.group('Rules of the database: every one refuses', (group) => {
  let ids: RowsToBreak
  group.setup(async () => {
    ids = await rowsToBreak()
  })

  for (const [domain, value] of Object.entries(DOMAINS))
    test(`${domain} refuses ${value}`, async ({ assert }) => {
      const failure = await undone((trx) => failureOf(`SELECT CAST(${value} AS ${domain})`, trx))
      assert.equal(failure?.constraint, `${domain}_check`)
    })

  for (const [table, checks] of Object.entries(CHECKS))
    for (const [check, sql] of Object.entries(checks))
      test(`${table}: ${check}`, async ({ assert }) => {
        const failure = await undone((trx) => failureOf(withIds(sql, ids), trx))
        assert.equal(failure?.constraint, check, failure?.message)
      })

  for (const [table, triggers] of Object.entries(REFUSING_TRIGGERS))
    for (const [trigger, statements] of Object.entries(triggers))
      test(`${table}: ${trigger}`, async ({ assert }) => {
        for (const sql of statements) {
          const written = withIds(sql, ids)
          const failure = await undone(async (trx) => {
            await arm(table, trigger, trx)
            return failureOf(written, trx)
          })
          assert.equal(failure?.routine, 'exec_stmt_raise', `${written}: ${failure?.message}`)
        }
      })

  for (const [table, triggers] of Object.entries(WRITING_TRIGGERS))
    for (const [trigger, { act, leaves }] of Object.entries(triggers))
      test(`${table}: ${trigger}`, async ({ assert }) => {
        const found = await undone(async (trx) => {
          await arm(table, trigger, trx)
          await trx.rawQuery(withIds(act, ids))
          const { rows: read } = await trx.rawQuery(withIds(leaves, ids))
          return read as object[]
        })
        assert.deepEqual(found.map(Object.values), [[true]])
      })
})
