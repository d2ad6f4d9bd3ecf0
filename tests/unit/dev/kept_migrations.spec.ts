import { KEPT_MIGRATIONS } from '#tests/support/kept_migrations'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

const directory = app.makePath('database/migrations')
const hashOf = (file: string) =>
  createHash('sha256')
    .update(readFileSync(`${directory}/${file}`))
    .digest('hex')

test.group('Migrations', () => {
  test('are never edited, renamed or removed, and a new one has its line', ({ assert }) => {
    const hashes = readdirSync(directory).map((file) => [file, hashOf(file)])
    assert.deepEqual(Object.fromEntries(hashes), KEPT_MIGRATIONS)
  })

  test('each has its own number, and a new one the highest', ({ assert }) => {
    const numbers = Object.keys(KEPT_MIGRATIONS).map((file) => Number.parseInt(file))
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].toSorted((a, b) => a - b)
    )
  })
})
