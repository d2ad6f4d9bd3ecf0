import { RELEASED_MIGRATIONS } from '#tests/support/released_migrations'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

const directory = app.makePath('database/migrations')
const files = readdirSync(directory)
const numberOf = (file: string) => Number.parseInt(file)

/** Migrations since the last release are not guarded: no live database has run them, so they may be mended in place. */
test.group('Migrations', () => {
  test('those of a release are never edited, renamed or removed', ({ assert }) => {
    const found = files.filter((file) => file in RELEASED_MIGRATIONS)
    const hashes = found.map((file) => {
      const text = readFileSync(`${directory}/${file}`)
      return [file, createHash('sha256').update(text).digest('hex')]
    })
    assert.deepEqual(Object.fromEntries(hashes), RELEASED_MIGRATIONS)
  })

  test('new ones have higher numbers than those of the releases, and each its own', ({
    assert,
  }) => {
    const highest = Math.max(...Object.keys(RELEASED_MIGRATIONS).map(numberOf))
    const added = files.filter((file) => !(file in RELEASED_MIGRATIONS)).map(numberOf)
    assert.deepEqual(
      added.filter((number) => !(number > highest)),
      []
    )
    assert.lengthOf(new Set(files.map(numberOf)), files.length)
  })
})
