import { domainsIn, lockProblems } from '../../../dev/migration_locks.js'
import { test } from '@japa/runner'

const IN_TIME = `SET LOCAL lock_timeout = '3s';`
const DOMAINS = new Set(domainsIn('CREATE DOMAIN tenge AS bigint CHECK (VALUE >= 0);'))

const migration = (sql: string, { alone = false } = {}) => `
  export default class extends BaseSchema {
    ${alone ? 'static override disableTransactions = true' : ''}
    async up() {
      this.schema.raw(\`${sql}\`)
    }
    async down() {
      this.schema.raw('ALTER TABLE orders ALTER COLUMN id TYPE bigint')
    }
  }`
const problemsOf = (sql: string, options = {}) =>
  lockProblems(migration(sql, options), DOMAINS).map(({ problem }) => problem)
const inTime = (sql: string) => problemsOf(`${IN_TIME} ${sql}`)

test.group('Locks of migrations', () => {
  for (const [sql, expected] of Object.entries({
    'ALTER TABLE orders ADD COLUMN token uuid DEFAULT gen_random_uuid()': /rewrites/,
    'ALTER TABLE orders ADD at timestamptz NOT NULL DEFAULT clock_timestamp()': /rewrites/,
    'ALTER TABLE orders ADD COLUMN fee_tenge tenge': /domain/,
    'ALTER TABLE orders ADD COLUMN n bigserial': /rewrites/,
    'ALTER TABLE orders ADD COLUMN n integer GENERATED ALWAYS AS (1) STORED': /rewrites/,
    'ALTER TABLE orders ADD COLUMN a integer, ALTER COLUMN b TYPE bigint': /rewrites/,
    'ALTER TABLE orders ALTER b SET DATA TYPE bigint': /rewrites/,
    'ALTER TABLE orders ALTER COLUMN b SET NOT NULL': /reads the whole table/,
    'ALTER TABLE orders ADD CONSTRAINT c CHECK (a > 0)': /NOT VALID/,
    'ALTER TABLE orders ADD FOREIGN KEY (a) REFERENCES halls (id)': /NOT VALID/,
    'ALTER TABLE orders ADD COLUMN a integer CHECK (a > 0)': /NOT VALID/,
    'CREATE INDEX orders_a ON orders (a)': /CONCURRENTLY/,
    'CREATE UNIQUE INDEX ON orders (a)': /CONCURRENTLY/,
    'CREATE INDEX CONCURRENTLY orders_a ON orders (a)': /disableTransactions/,
    "ALTER DOMAIN movement_kind ADD CONSTRAINT c CHECK (VALUE IN ('sale'))": /NOT VALID/,
    'ALTER DOMAIN movement_kind VALIDATE CONSTRAINT c': /keeps sales from writing/,
    'DO $$ BEGIN IF true THEN CREATE INDEX orders_a ON orders (a); END IF; END $$': /CONCURRENTLY/,
    'DO $$ BEGIN ALTER TABLE orders ALTER COLUMN a TYPE bigint; END $$': /rewrites/,
    'CREATE INDEX ${table}_a ON ${table} (a)': /CONCURRENTLY/,
  }))
    test(`${sql}: refused`, ({ assert }) => {
      assert.match(inTime(sql).join(), expected)
    })

  for (const sql of [
    'ALTER TABLE orders ADD COLUMN seen_at timestamptz',
    "ALTER TABLE orders ADD COLUMN language text NOT NULL DEFAULT 'ru'",
    'ALTER TABLE orders ADD COLUMN at timestamptz NOT NULL DEFAULT now()',
    'ALTER TABLE orders ADD CONSTRAINT c CHECK (a > 0) NOT VALID',
    'ALTER TABLE orders ADD CONSTRAINT c UNIQUE USING INDEX orders_a',
    'CREATE TABLE slips (id integer PRIMARY KEY, order_id text REFERENCES orders); CREATE INDEX ON slips (order_id)',
    'CREATE TABLE slips (id integer); ALTER TABLE slips ADD CHECK (id > 0)',
    "ALTER DOMAIN movement_kind ADD CONSTRAINT c CHECK (VALUE IN ('sale')) NOT VALID",
    'CREATE INDEX settlement_memos_a ON settlement_memos (a)',
    'ALTER TABLE settlement_terms ADD CONSTRAINT c CHECK (a > 0)',
    '-- Short lock: halls has a dozen rows.\nCREATE INDEX halls_name ON halls (name)',
    'CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ALTER TABLE orders ALTER COLUMN a TYPE bigint; END $$',
    "UPDATE texts SET words = 'CREATE INDEX a ON orders (a); CREATE INDEX b ON orders (b)'",
  ])
    test(`${sql}: fine`, ({ assert }) => {
      assert.deepEqual(inTime(sql), [])
    })

  test('an excuse is for its own statement, and says why', ({ assert }) => {
    const excused =
      '-- Short lock: halls has a dozen rows.\nCREATE INDEX halls_name ON halls (name);'
    assert.lengthOf(inTime(`${excused} CREATE INDEX orders_a ON orders (a)`), 1)
    assert.lengthOf(inTime('-- Short lock:\nCREATE INDEX halls_name ON halls (name)'), 1)
  })

  test('a lock on a table in use needs lock_timeout; an index that is built while sales go on does not', ({
    assert,
  }) => {
    for (const sql of [
      'ALTER TABLE orders ADD COLUMN seen_at timestamptz',
      'DROP TABLE halls',
      'CREATE TRIGGER t BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION f()',
      'DROP TRIGGER t ON orders',
      'ALTER TABLE settlement_terms ADD COLUMN a integer',
    ])
      assert.match(problemsOf(sql).join(), /lock_timeout/, sql)
    for (const sql of [
      'CREATE TABLE slips (id integer)',
      'ALTER TABLE orders VALIDATE CONSTRAINT orders_a',
    ])
      assert.deepEqual(problemsOf(sql), [], sql)
    const index = 'CREATE INDEX CONCURRENTLY orders_a ON orders (a)'
    assert.deepEqual(problemsOf(index, { alone: true }), [])
  })
})
