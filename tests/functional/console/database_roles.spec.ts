import env from '#start/env'
import { WebProcess, freePort } from '#tests/functional/races/support/web_process'
import {
  createDatabase,
  dropDatabase,
  maintain,
  ownerUrlOf,
  urlOfDatabase,
  variablesOf,
} from '#tests/support/other_database'
import { scramVerifier } from '#database/roles'
import { test } from '@japa/runner'
import pg from 'pg'
import { start, startWeb, type Outcome } from './support.js'

const SCRATCH = 'database_roles'
const LIVE_MIGRATION = ['migration:run', '--force', '--compact-output']

/** The same address by another role. */
function asRole(url: string, role: string, password = 'secret') {
  const address = new URL(url)
  address.username = role
  address.password = password
  return address.href
}

async function ask(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return rows
  } finally {
    await client.end()
  }
}

/** Rights that nobody but the owner has. */
async function excessOf(applicationUrl: string) {
  const [excess] = await ask(
    applicationUrl,
    `SELECT has_table_privilege('orders', 'INSERT WITH GRANT OPTION') AS passes_on,
            has_column_privilege('orders', 'id', 'REFERENCES') AS refers,
            has_column_privilege('orders', 'total_tenge', 'UPDATE') AS changes_totals,
            has_table_privilege('confirm_attempts', 'DELETE') AS deletes_evidence,
            has_schema_privilege('public', 'CREATE') AS creates,
            has_database_privilege('test_reports', current_database(), 'TEMPORARY') AS creates_temporary_tables,
            has_function_privilege('forget()', 'EXECUTE') AS forgets`
  )
  return excess
}

const NO_EXCESS = {
  passes_on: false,
  refers: false,
  changes_totals: false,
  deletes_evidence: false,
  creates: false,
  creates_temporary_tables: false,
  forgets: false,
}

async function mayCall(url: string, name: string) {
  const [{ may }] = await ask(url, `SELECT has_function_privilege('${name}', 'EXECUTE') AS may`)
  return may
}

const problemIn = ({ text }: Outcome) =>
  JSON.parse(text.trimEnd().split('\n').at(-1)!) as { setting: string; msg: string }

test.group('Roles of a deployment', (group) => {
  group.each.timeout(240_000)
  group.each.setup(() => () => dropDatabase(SCRATCH))

  test('the owner is no superuser: it creates the roles, migrates, and the application has what it needs and no more', async ({
    assert,
    cleanup,
  }) => {
    const [owner, application, reports] = ['test_owner', 'test_app', 'test_reports']
    const dropRoles = async () => {
      await dropDatabase(SCRATCH)
      for (const role of [application, reports, owner])
        await maintain(`DROP ROLE IF EXISTS ${role}`)
    }
    await dropRoles()
    cleanup(dropRoles)
    await maintain(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD 'secret'`)
    await maintain(`CREATE DATABASE ${SCRATCH} OWNER ${owner}`)
    const variables = {
      NODE_ENV: 'production',
      LOG_LEVEL: 'fatal',
      DATABASE_URL: asRole(urlOfDatabase(SCRATCH), application),
      OWNER_DATABASE_URL: asRole(urlOfDatabase(SCRATCH), owner),
      REPORTS_DATABASE_URL: asRole(urlOfDatabase(SCRATCH), reports),
    }

    const early = await start(LIVE_MIGRATION, variables).ended
    assert.equal(early.exitCode, 1, early.text)
    assert.include(early.text, `There is no role ${application} and no role ${reports}`)
    assert.include(early.text, 'database:roles')

    const created = await start(['database:roles'], variables).ended
    assert.equal(created.exitCode, 0, created.text)
    const migrated = await start(LIVE_MIGRATION, variables).ended
    assert.equal(migrated.exitCode, 0, migrated.text)
    assert.notInclude(migrated.text, 'owns the tables')

    const { DATABASE_URL: url } = variables
    await ask(url, `INSERT INTO partners (code, name) VALUES ('kassa', 'Kassa')`)
    await assert.rejects(() => ask(url, 'DROP TABLE journal'), /must be owner of table journal/)
    await assert.rejects(() => ask(url, 'DELETE FROM journal'), /permission denied for table/)
    await assert.rejects(
      () => ask(url, 'CREATE TEMPORARY TABLE x ()'),
      /permission denied to create temporary tables/
    )
    const [{ code }] = await ask(
      variables.REPORTS_DATABASE_URL,
      'SELECT code FROM reports.partners'
    )
    assert.equal(code, 'kassa')
    const web = await WebProcess.start({ ...variables, OWNER_DATABASE_URL: '' })
    const ready = await fetch(`${web.url}/health/ready`)
    assert.deepEqual(await ready.json(), { status: 'ready', postgres: true, redis: true })
    await web.stop()

    // What somebody granted by hand is taken away by the next run, and it can be run again and again.
    for (const grant of [
      `DELETE ON journal TO ${application}`,
      `INSERT ON journal_default TO ${application}`,
      `SELECT ON orders TO ${reports}`,
      `SELECT (customer) ON bookings TO ${reports}`,
      `INSERT ON reports.partners TO ${reports}`,
      `USAGE ON SEQUENCE order_numbers TO ${reports}`,
      `INSERT ON orders TO ${application} WITH GRANT OPTION`,
      `REFERENCES (id) ON orders TO ${application}`,
      `UPDATE (total_tenge) ON orders TO PUBLIC`,
      `DELETE ON confirm_attempts TO PUBLIC`,
      `CREATE ON SCHEMA public TO ${application}`,
      `TEMPORARY ON DATABASE ${SCRATCH} TO ${reports}`,
      `EXECUTE ON FUNCTION create_months(integer) TO PUBLIC`,
    ])
      await ask(variables.OWNER_DATABASE_URL, `GRANT ${grant}`)
    await ask(
      variables.OWNER_DATABASE_URL,
      `CREATE FUNCTION forget() RETURNS void LANGUAGE sql SECURITY DEFINER AS 'TRUNCATE journal'`
    )
    assert.notDeepEqual(await excessOf(url), NO_EXCESS)
    await ask(variables.REPORTS_DATABASE_URL, 'SELECT customer FROM orders')
    const again = await start(LIVE_MIGRATION, variables).ended
    assert.equal(again.exitCode, 0, again.text)
    assert.deepEqual(await excessOf(url), NO_EXCESS)
    assert.isTrue(await mayCall(url, 'create_months(integer)'))
    for (const name of ['forget()', 'create_months(integer)'])
      assert.isFalse(await mayCall(variables.REPORTS_DATABASE_URL, name), name)
    await assert.rejects(() => ask(url, 'DELETE FROM journal'), /permission denied for table/)
    await assert.rejects(
      () => ask(url, 'INSERT INTO journal_default DEFAULT VALUES'),
      /permission denied for table/
    )
    for (const sql of [
      'SELECT FROM orders',
      'SELECT customer FROM bookings',
      `SELECT nextval('order_numbers')`,
    ])
      await assert.rejects(() => ask(variables.REPORTS_DATABASE_URL, sql), /permission denied/)
    assert.lengthOf(
      await ask(variables.REPORTS_DATABASE_URL, 'SELECT code FROM reports.partners'),
      1
    )
    const [ofReports] = await ask(
      variables.REPORTS_DATABASE_URL,
      `SELECT has_table_privilege('reports.partners', 'INSERT') AS may_insert`
    )
    assert.isFalse(ofReports.may_insert)

    // What only an administrator can give and take away ends it, with the statements that do.
    const statements = [
      `ALTER ROLE ${reports} NOBYPASSRLS`,
      `ALTER ROLE ${application} NOCREATEDB`,
      'REVOKE ALL ON PARAMETER session_replication_role FROM PUBLIC',
      `REVOKE pg_write_all_data FROM ${application}`,
    ]
    const takeAway = async () => {
      for (const statement of statements) await maintain(statement)
    }
    cleanup(takeAway)
    for (const statement of [
      `ALTER ROLE ${reports} BYPASSRLS`,
      `ALTER ROLE ${application} CREATEDB`,
      'GRANT SET ON PARAMETER session_replication_role TO PUBLIC',
      `GRANT pg_write_all_data TO ${application}`,
    ])
      await maintain(statement)
    for (const command of [LIVE_MIGRATION, ['database:roles']]) {
      const { exitCode, text } = await start(command, variables).ended
      assert.equal(exitCode, 1, text)
      for (const statement of statements) assert.include(text, statement)
    }
    await takeAway()

    const passwords = { ...variables, DATABASE_URL: asRole(url, application, 'another') }
    const changed = await start(['database:roles'], passwords).ended
    assert.equal(changed.exitCode, 0, changed.text)
    assert.lengthOf(await ask(passwords.DATABASE_URL, 'SELECT'), 1)
    await assert.rejects(() => ask(url, 'SELECT'), /password authentication failed/)
  })

  test('a deployment of 0.2.0, whose one role owns the tables, goes on with a warning', async ({
    assert,
  }) => {
    await createDatabase(SCRATCH)
    const single = {
      ...variablesOf(SCRATCH),
      DATABASE_URL: ownerUrlOf(SCRATCH),
      OWNER_DATABASE_URL: '',
      LOG_LEVEL: 'fatal',
    }
    const { exitCode, text } = await start(LIVE_MIGRATION, single).ended
    assert.equal(exitCode, 0, text)
    assert.include(text, 'owns the tables')
    assert.include(text, 'OWNER_DATABASE_URL')
    const web = await WebProcess.start(single)
    const response = await fetch(`${web.url}/health/ready`)
    await web.stop()
    assert.equal(response.status, 200)
    assert.deepInclude(await response.json(), {
      status: 'ready',
      warnings: ['application_owns_tables'],
    })
  })
})

test.group('Wrong roles', (group) => {
  group.each.timeout(120_000)
  group.setup(async () => {
    await createDatabase(SCRATCH)
    return () => dropDatabase(SCRATCH)
  })

  const PRODUCTION = { NODE_ENV: 'production', LOG_LEVEL: 'fatal' }
  const reportsUrl = () => {
    const { username, password } = new URL(env.get('REPORTS_DATABASE_URL')!)
    return asRole(urlOfDatabase(SCRATCH), username, password)
  }

  for (const [what, urlOf, message] of [
    ['a role without rights', reportsUrl, /^DATABASE_URL: the role \w+ lacks rights/],
    [
      'a wrong password',
      () => asRole(urlOfDatabase(SCRATCH), 'tickets_app', 'wrong'),
      /^DATABASE_URL: password authentication failed/,
    ],
    [
      'a database that is not there',
      () => urlOfDatabase('no_such_database'),
      /^DATABASE_URL: database "no_such_database" does not exist/,
    ],
  ] as const)
    test(`web and worker end with 1 and the setting's name: ${what}`, async ({ assert }) => {
      const variables = { ...PRODUCTION, DATABASE_URL: urlOf(), PORT: String(await freePort()) }
      for (const program of [startWeb(variables), start(['queue:work'], variables)]) {
        const outcome = await program.ended
        assert.equal(outcome.exitCode, 1, outcome.text)
        const { setting, msg } = problemIn(outcome)
        assert.equal(setting, 'DATABASE_URL')
        assert.match(msg, message)
      }
    })

  test('migrations by a role that does not own the tables are refused, with the name of the setting', async ({
    assert,
  }) => {
    const ofApplication = { DATABASE_URL: urlOfDatabase(SCRATCH), REPORTS_DATABASE_URL: '' }
    for (const [OWNER_DATABASE_URL, message] of [
      [reportsUrl(), /^OWNER_DATABASE_URL: the role tickets_reports does not own the table/m],
      ['', /^DATABASE_URL: the role tickets_app does not own the table .* set OWNER_DATABASE_URL/m],
      [ownerUrlOf('postgres'), /^OWNER_DATABASE_URL names the database \/postgres/m],
      [
        asRole(ownerUrlOf(SCRATCH), 'nobody'),
        /^OWNER_DATABASE_URL: password authentication failed/m,
      ],
    ] as const) {
      const { exitCode, text } = await start(LIVE_MIGRATION, {
        ...ofApplication,
        OWNER_DATABASE_URL,
      }).ended
      assert.equal(exitCode, 1, text)
      assert.match(text, message)
      assert.notInclude(text, '    at ', 'no stack')
    }
  })

  test('database:roles needs an owner that is not the application', async ({ assert }) => {
    const { exitCode, text } = await start(['database:roles'], {
      ...variablesOf(SCRATCH),
      OWNER_DATABASE_URL: urlOfDatabase(SCRATCH),
    }).ended
    assert.equal(exitCode, 1, text)
    assert.include(text, 'OWNER_DATABASE_URL must name another role than DATABASE_URL')
  })
})

test.group('Passwords of roles', () => {
  test('the verifier is that of RFC 7677, whose example PostgreSQL would store', ({ assert }) => {
    // RFC 7677, section 3: password "pencil", salt and iterations of the example; its server signature follows from ServerKey.
    const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64')
    assert.equal(
      scramVerifier('pencil', salt),
      'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU='
    )
  })
})
