import env from '#start/env'
import { listStatements } from '#shared/statement'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'

/** A module that runs in a thread of its own, and has no statements. */
const THREAD = /_thread\.ts$/

/** Every module of the application, so that every `statement` is known. SQL that is composed for a call (`readRows`) only reads. */
async function loadEverything() {
  const root = app.makePath('app')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const modules = files.filter((file) => /(?<!\.d)\.ts$/.test(file) && !THREAD.test(file))
  for (const file of modules) await import(pathToFileURL(join(root, file)).href)
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
})
