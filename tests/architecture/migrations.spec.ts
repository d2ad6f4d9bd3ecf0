import { compatibilityProblems } from '../../dev/migration_compatibility.js'
import { domainsIn, lockProblems } from '../../dev/migration_locks.js'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Release 0.2.0 has 1 to 17, and is older than this test. */
const LAST_UNCHECKED = 17

/** Refused statements that processes of 0.2.0 can live with, by migration, and why. */
const COMPATIBLE: Record<string, Record<string, string>> = {
  '27_create_register_sources.ts': {
    'ALTER TABLE partner_registers ALTER COLUMN source_id SET NOT NULL':
      'a trigger of the same migration gives a source to a register that 0.2.0 uploads',
  },
  '82_partition_journal.ts': {
    'ALTER TABLE %I RENAME TO %I':
      'the table becomes a partition, and the same transaction creates the partitioned one of its name',
  },
  '85_keep_months.ts': {
    'ALTER TABLE %I RENAME TO %I': 'renames a partition, which only the database names',
  },
  '88_detach_referenced_months.ts': {
    'ALTER TABLE %I RENAME TO %I': 'renames a partition, as in 85',
  },
}

const reasonFor = (name: string, statement: string) =>
  new Map(Object.entries(COMPATIBLE[name] ?? {})).get(statement)

/** PostgreSQL keeps sales from writing movements while it reads them: 0.2 s for a million. */
const HOLD_UP_SALES = [
  '45_validate_movement_kinds_and_rows.ts: ALTER DOMAIN movement_kind VALIDATE CONSTRAINT movement_kind_check',
]

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
    // Only those that docs/production.md names.
    assert.deepEqual(
      found.map((each) => each.split(' … ')[0]),
      HOLD_UP_SALES
    )
  })

  test('none after those of 0.2.0 takes a table or column from processes of 0.2.0, or makes their INSERT fail', async ({
    assert,
  }) => {
    const all = await migrations()
    const released = all.filter(({ number }) => number <= LAST_UNCHECKED)
    const text = released.map(({ source }) => source).join('\n')
    const found = all
      .filter(({ number }) => number > LAST_UNCHECKED)
      .flatMap(({ name, source }) =>
        compatibilityProblems(source, text).map((each) => ({ name, ...each }))
      )
    const refused = found.filter(({ name, statement }) => !reasonFor(name, statement))
    assert.deepEqual(refused, [])
    const statements = found.map(({ name, statement }) => `${name}: ${statement}`)
    const excused = Object.entries(COMPATIBLE).flatMap(([name, reasons]) =>
      Object.keys(reasons).map((statement) => `${name}: ${statement}`)
    )
    assert.sameMembers([...new Set(statements)], excused)
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
