import { domainsIn, lockProblems } from '../../dev/migration_locks.js'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Release 0.2.0 has 1 to 17, and is older than this test. */
const LAST_UNCHECKED = 17

async function migrations() {
  const folder = app.makePath('database/migrations')
  const names = await readdir(folder)
  return Promise.all(
    names.map(async (name) => ({
      name,
      number: Number.parseInt(name, 10),
      source: await readFile(join(folder, name), 'utf8'),
    }))
  )
}

test.group('Migrations', () => {
  test('none after those of 0.2.0 rewrites a table or holds up sales', async ({ assert }) => {
    const all = await migrations()
    const domains = new Set(all.flatMap(({ source }) => domainsIn(source)))
    const found = all
      .filter(({ number }) => number > LAST_UNCHECKED)
      .flatMap(({ name, source }) =>
        lockProblems(source, domains).map(
          ({ statement, problem }) => `${name}: ${statement} … ${problem}`
        )
      )
    assert.deepEqual(found, [])
  })

  test('no two have the same number', async ({ assert }) => {
    const all = await migrations()
    const numbers = all.map(({ number }) => number)
    assert.deepEqual(
      numbers.filter((number, index) => numbers.indexOf(number) !== index),
      []
    )
  })
})
