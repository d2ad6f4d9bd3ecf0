import { OTHERWISE_NEEDED } from '#database/privileges'
import env from '#start/env'
import { describeRight, RIGHTS, type Right } from '#shared/database_role'
import { listStatements } from '#shared/statement'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'

/** A module that runs in a thread of its own, and has no statements. */
const THREAD = /_thread\.ts$/

/**
 * Every module of the application and of the sandbox's seeder, so that every `statement` is known. SQL that is composed for a call
 * (`readRows`) only reads.
 */
async function loadEverything() {
  for (const directory of ['app', 'database/seeders']) {
    const root = app.makePath(directory)
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    const modules = files.filter((file) => /(?<!\.d)\.ts$/.test(file) && !THREAD.test(file))
    for (const file of modules) await import(pathToFileURL(join(root, file)).href)
  }
}

const REFUSED = '42501'
const isForWriting = (privilege: string) => ['INSERT', 'UPDATE', 'DELETE'].includes(privilege)
const roleOfApplication = new URL(env.get('DATABASE_URL')).username

/** The statements that the right could be for. */
function candidatesFor({ on, privilege, column }: Right) {
  const words = [on, privilege, ...(column === null ? [] : [column])]
  const patterns = words.map((word) => new RegExp(`\\b${word}\\b`, 'i'))
  return listStatements().filter(({ text }) => patterns.every((pattern) => pattern.test(text)))
}

/** Whether a statement is refused without the right. The owner takes it away in a transaction that is undone. */
async function isNeeded(owner: pg.Client, right: Right) {
  const { on, privilege, column } = right
  await owner.query('BEGIN')
  try {
    const what = column === null ? privilege : `${privilege} (${column})`
    await owner.query(`REVOKE ${what} ON ${on} FROM ${roleOfApplication}`)
    await owner.query(`SET LOCAL ROLE ${roleOfApplication}`)
    for (const { text } of candidatesFor(right)) {
      await owner.query('SAVEPOINT before')
      const refusal = await owner
        .query(`EXPLAIN (GENERIC_PLAN) ${text}`)
        .catch(({ code }: { code: string }) => code)
      if (refusal === REFUSED) return true
      await owner.query('ROLLBACK TO before')
    }
    return false
  } finally {
    await owner.query('ROLLBACK')
  }
}

test.group('Statements of the application', () => {
  test('each has a name of its own', async ({ assert }) => {
    await loadEverything()
    const names = listStatements().map(({ name }) => name)
    assert.isAbove(names.length, 400)
    assert.deepEqual(
      names.filter((name, at) => names.indexOf(name) !== at),
      []
    )
  })

  test('each may be run by the role of DATABASE_URL', async ({ assert }) => {
    await loadEverything()
    const client = new pg.Client({ connectionString: env.get('DATABASE_URL') })
    await client.connect()
    const refused: string[] = []
    // A plan is made and not run; PostgreSQL looks at the rights first, and at those of every table and column in it.
    for (const { name, text } of listStatements())
      await client
        .query(`EXPLAIN (GENERIC_PLAN) ${text}`)
        .catch((error: Error) => refused.push(`${name}: ${error.message}`))
    await client.end()
    assert.deepEqual(refused, [])
  })

  test('each right to write is needed by one of them, or says what else needs it', async ({
    assert,
  }) => {
    await loadEverything()
    const owner = new pg.Client({ connectionString: env.get('OWNER_DATABASE_URL') })
    await owner.connect()
    const needless: string[] = []
    for (const right of RIGHTS.filter(({ privilege }) => isForWriting(privilege)))
      if (!(await isNeeded(owner, right))) needless.push(describeRight(right))
    await owner.end()
    assert.sameMembers(needless, Object.keys(OTHERWISE_NEEDED))
  }).timeout(120_000)
})
