import { compatibilityProblems } from '../../../dev/migration_compatibility.js'
import { test } from '@japa/runner'

const RELEASED = `
  CREATE TABLE orders (id integer PRIMARY KEY, paid_at timestamptz);
  CREATE TABLE halls (id integer PRIMARY KEY);`

const migration = (up: string) => `
  export default class extends BaseSchema {
    async up() {
      this.schema.raw(\`${up}\`)
    }
    async down() {
      this.schema.raw('ALTER TABLE orders DROP COLUMN paid_at')
    }
  }
  const CONSTANT = 1`
const problemsOf = (source: string) =>
  compatibilityProblems(source, RELEASED).map(({ problem }) => problem)

test.group('Migrations and processes of the last release', () => {
  for (const [sql, expected] of Object.entries({
    'ALTER TABLE orders RENAME COLUMN paid_at TO charged_at': /former name/,
    'ALTER TABLE orders RENAME paid_at TO charged_at': /former name/,
    'ALTER TABLE ONLY orders RENAME TO purchases': /former name/,
    "DO $$ BEGIN EXECUTE format('ALTER TABLE %I RENAME TO %I', one, other); END $$": /former name/,
    'ALTER TABLE orders ADD COLUMN a integer, DROP COLUMN paid_at': /drop it in/,
    'ALTER TABLE orders DROP paid_at': /drop it in/,
    'ALTER TABLE orders ALTER COLUMN seen_at SET NOT NULL': /INSERT fails/,
    'ALTER TABLE orders ADD COLUMN seen_at timestamptz NOT NULL': /INSERT fails/,
    'DROP TABLE IF EXISTS visits, halls': /table halls/,
  }))
    test(`${sql}: refused`, ({ assert }) => {
      const problems = problemsOf(migration(sql))
      assert.lengthOf(problems, 1)
      assert.match(problems[0], expected)
    })

  for (const sql of [
    'ALTER TABLE orders ADD COLUMN seen_at timestamptz',
    'ALTER TABLE orders ADD COLUMN is_seen boolean NOT NULL DEFAULT false',
    'ALTER TABLE orders DROP COLUMN of_no_release',
    'ALTER TABLE orders DROP CONSTRAINT orders_check',
    'ALTER TABLE orders RENAME CONSTRAINT orders_check TO orders_paid',
    'ALTER TABLE visits RENAME COLUMN at TO seen_at',
    'ALTER INDEX orders_paid RENAME TO orders_charged',
    '-- ALTER TABLE orders DROP COLUMN paid_at',
    'DROP TABLE visits',
  ])
    test(`${sql}: allowed`, ({ assert }) => {
      assert.deepEqual(problemsOf(migration(sql)), [])
    })

  test('SQL of a constant below the class is read, too', ({ assert }) => {
    const source = `${migration('SELECT 1')}
const DROP = \`ALTER TABLE orders DROP COLUMN paid_at\``
    assert.lengthOf(problemsOf(source), 1)
  })
})
