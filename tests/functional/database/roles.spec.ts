import {
  APPLICATION_PRIVILEGES,
  APPLICATION_FUNCTIONS,
  APPLICATION_SEQUENCES,
} from '#database/privileges'
import env from '#start/env'
import { aSale, sell } from '#tests/support/fixtures'
import { ownerRows } from '#tests/support/rows'
import { test } from '@japa/runner'
import pg from 'pg'

/** PostgreSQL's own refusal: insufficient_privilege. */
const REFUSED = '42501'
const READ_ONLY = '25006'

const TABLES = Object.entries(APPLICATION_PRIVILEGES)

async function connectTo(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** The SQLSTATE with which the statement is refused; undefined when it is done. Nothing stays. */
async function codeOf(client: pg.Client, sql: string): Promise<string | undefined> {
  await client.query('BEGIN')
  try {
    await client.query(sql)
    return undefined
  } catch (error) {
    return (error as { code?: string }).code
  } finally {
    await client.query('ROLLBACK')
  }
}

const columnsOf = async (table: string) => {
  const found = await ownerRows(
    `SELECT attname::text AS name FROM pg_attribute
      WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    table
  )
  return found.map(({ name }) => name as string)
}

test.group('The role of the application', (group) => {
  let application: pg.Client
  group.setup(async () => {
    application = await connectTo(env.get('DATABASE_URL'))
    return () => application.end()
  })
  const refusalOf = (sql: string) => codeOf(application, sql)

  test('every table has a line, and every line a table', async ({ assert }) => {
    const found = await ownerRows(
      `SELECT relname::text AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`
    )
    assert.sameMembers(
      found.map(({ name }) => name as string),
      TABLES.map(([name]) => name)
    )
  })

  test('nobody else, and not everybody, has a right on a table, a view or a sequence', async ({
    assert,
  }) => {
    const granted = await ownerRows(
      `SELECT DISTINCT c.relname || ' to ' || CASE grantee WHEN 0 THEN 'everybody' ELSE pg_get_userbyid(grantee) END AS right
         FROM pg_class c, aclexplode(c.relacl) WHERE c.relnamespace = 'public'::regnamespace
          AND grantee NOT IN (c.relowner, ?::regrole)`,
      new URL(env.get('DATABASE_URL')).username
    )
    assert.deepEqual(granted, [])
  })

  test('the suite itself runs as this role, which owns nothing and has no attribute', async ({
    assert,
  }) => {
    const { rows } = await application.query(
      `SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
              (SELECT count(*)::int FROM pg_class WHERE pg_has_role(relowner, 'USAGE')) AS owned,
              (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS memberships
         FROM pg_roles r WHERE rolname = current_user`
    )
    assert.deepEqual(rows, [
      {
        rolsuper: false,
        rolcreatedb: false,
        rolcreaterole: false,
        rolreplication: false,
        rolbypassrls: false,
        owned: 0,
        memberships: 0,
      },
    ])
  })

  for (const [table, may] of TABLES)
    test(`${table}: may do what its line says, and nothing else`, async ({ assert }) => {
      const allowed: string[] = []
      const refused = [
        `TRUNCATE ${table}`,
        `DROP TABLE ${table}`,
        `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
        `ALTER TABLE ${table} ADD COLUMN x integer`,
        `CREATE TRIGGER x BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
        `CREATE INDEX ON ${table} ((1))`,
      ]
      // Rights are checked before the first row is looked at.
      ;(may.delete ? allowed : refused).push(`DELETE FROM ${table} WHERE false`)
      if (!may.insert) refused.push(`INSERT INTO ${table} DEFAULT VALUES`)
      for (const column of await columnsOf(table)) {
        ;(may.update?.includes(column) ? allowed : refused).push(
          `UPDATE ${table} SET "${column}" = DEFAULT WHERE false`
        )
      }
      for (const sql of refused) assert.equal(await refusalOf(sql), REFUSED, sql)
      for (const sql of allowed) assert.notEqual(await refusalOf(sql), REFUSED, sql)
      assert.isUndefined(await refusalOf(`SELECT FROM ${table} LIMIT 1`))
      if (may.insert)
        assert.notEqual(await refusalOf(`INSERT INTO ${table} DEFAULT VALUES`), REFUSED)
    })

  for (const sql of [
    `SET session_replication_role = 'replica'`,
    'SET SESSION AUTHORIZATION tickets',
    'SET ROLE tickets',
    'ALTER ROLE CURRENT_USER SUPERUSER',
    'CREATE ROLE x',
    'CREATE TABLE x (id integer)',
    'CREATE TEMPORARY TABLE x (id integer)',
    'CREATE SCHEMA x',
    'CREATE FUNCTION x() RETURNS integer LANGUAGE sql RETURN 1',
    'DROP FUNCTION refuse_journal_change() CASCADE',
    'DROP INDEX one_live_ticket',
    'DROP VIEW settlement_items',
    'DROP SCHEMA public CASCADE',
    `SELECT setval('order_numbers', 1)`,
    `COPY journal TO PROGRAM 'cat'`,
    `SELECT pg_read_file('PG_VERSION')`,
  ])
    test(`is refused: ${sql}`, async ({ assert }) => {
      assert.equal(await refusalOf(sql), REFUSED)
    })

  test('draws the next numbers of its sequences, and sets none', async ({ assert }) => {
    for (const name of APPLICATION_SEQUENCES)
      assert.isUndefined(await refusalOf(`SELECT nextval('${name}')`))
  })

  test('what runs with the rights of the owner looks for names in one fixed place, and not everybody may call it', async ({
    assert,
  }) => {
    const found = await ownerRows(
      `SELECT p.oid::regprocedure::text AS name, prorettype = 'trigger'::regtype AS is_of_trigger, proconfig AS settings, has_function_privilege('public', p.oid, 'EXECUTE') AS is_public
         FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prosecdef ORDER BY proname`
    )
    assert.sameMembers(
      // Those of triggers nobody calls.
      found.filter(({ is_of_trigger: isOfTrigger }) => !isOfTrigger).map(({ name }) => name),
      [...APPLICATION_FUNCTIONS]
    )
    for (const { name, settings, is_public: isPublic } of found) {
      assert.include(settings, 'search_path=pg_catalog, public, pg_temp', name)
      assert.isFalse(isPublic, name)
    }
  })

  test('a table that changed much is analysed, though the application does not own it', async ({
    assert,
  }) => {
    const name = 'partner_register_rows'
    const analysed = async () => {
      const [{ n }] = await ownerRows(
        'SELECT analyze_count::int AS n FROM pg_stat_all_tables WHERE relid = ?::regclass',
        name
      )
      return n as number
    }
    const before = await analysed()
    await application.query(`SELECT analyse_tables('${name}')`)
    await application.query('SELECT pg_stat_force_next_flush()')
    assert.equal(await analysed(), before + 1)
  })
})

test.group('The role for reports', (group) => {
  let reports: pg.Client
  group.setup(async () => {
    reports = await connectTo(env.get('REPORTS_DATABASE_URL')!)
    return () => reports.end()
  })

  const listViews = async () => {
    const views = await ownerRows(
      `SELECT viewname::text AS name FROM pg_views WHERE schemaname = 'reports'`
    )
    return views.map(({ name }) => `reports.${name}`)
  }

  test('reads every view of its schema', async ({ assert }) => {
    const views = await listViews()
    assert.isAbove(views.length, 8)
    for (const view of views) assert.isUndefined(await codeOf(reports, `SELECT * FROM ${view}`))
  })

  test('reads no table, and no other view', async ({ assert }) => {
    const relations = await ownerRows(
      `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')`
    )
    for (const { name } of relations)
      assert.equal(await codeOf(reports, `SELECT FROM ${name}`), REFUSED, name)
  })

  test('writes nothing, not even where its own setting does not keep it from it', async ({
    assert,
  }) => {
    for (const view of await listViews()) {
      const code = await codeOf(reports, `SET TRANSACTION READ WRITE; DELETE FROM ${view}`)
      // A view of several tables can't be written through at all.
      assert.oneOf(code, [REFUSED, '55000'], view)
    }
    for (const sql of ['CREATE TABLE reports.x (id integer)', `SELECT analyse_tables('orders')`])
      assert.oneOf(await codeOf(reports, sql), [REFUSED, READ_ONLY], sql)
  })

  test('sees nothing of a buyer', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    const sold = await sell(client, event.id, ['seat-2-1'])
    const [{ customer }] = await ownerRows(
      'SELECT customer FROM orders WHERE id = ?',
      sold.order_id
    )
    const words = Object.values(customer as Record<string, string>)
    assert.isNotEmpty(words)
    let readRows = 0
    for (const view of await listViews()) {
      const { rows } = await reports.query<{ line: string }>(
        `SELECT v::text AS line FROM ${view} v`
      )
      readRows += rows.filter(({ line }) => line.includes(partner.code)).length
      for (const word of words)
        assert.isFalse(
          rows.some(({ line }) => line.includes(word)),
          `${view}: ${word}`
        )
    }
    assert.isAbove(readRows, 0)
  })
})
