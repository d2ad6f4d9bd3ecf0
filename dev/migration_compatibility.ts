import { actionsOf, createdTables, sqlOf } from './migration_locks.ts'

/**
 * What a migration must not do because processes of the last release go on reading and writing with the tables and columns that
 * they know, until all are replaced.
 *
 *     ALTER TABLE orders ADD COLUMN seen_at timestamptz;                    fine: the last release leaves it null
 *     ALTER TABLE orders RENAME COLUMN paid_at TO charged_at;               the last release fails at each statement that names it
 *     ALTER TABLE orders DROP COLUMN paid_at;                               the same
 *     ALTER TABLE orders ALTER COLUMN seen_at SET NOT NULL;                 its INSERT fails, unless a trigger fills the column
 *
 * Tables and columns that no release knows yet may be treated in any way.
 */
export interface CompatibilityProblem {
  /** The statement's beginning. */
  statement: string
  problem: string
}

// Within EXECUTE format('…'), up to the quote.
const ALTER = /\bALTER TABLE (?:IF EXISTS )?(?:ONLY )?("?[\w.${}%]+"?) (.*?)(?:', |$)/is
const DROP_TABLE = /\bDROP TABLE (?:IF EXISTS )?(.*)$/is
const DROP_COLUMN = /^DROP (?:COLUMN )?(?:IF EXISTS )?(?!CONSTRAINT\b|EXPRESSION\b)"?(\w+)/i
const ADD_COLUMN = /^ADD (?:COLUMN )?(?:IF NOT EXISTS )?(?!CONSTRAINT\b)"?\w+"? .*\bNOT NULL\b/i

/** What is wrong with a migration's `up`; `released` is the text of all migrations of the last release. */
export function compatibilityProblems(source: string, released: string): CompatibilityProblem[] {
  const tables = createdTables(released)
  const isKnown = (table: string) => /[$%]/.test(table) || tables.has(table)
  const isKnownColumn = (column: string) => new RegExp(`\\b${column}\\b`).test(released)

  return statementsWithBodies(source).flatMap((sql) => {
    const [, dropped] = DROP_TABLE.exec(sql) ?? []
    const lost = dropped?.split(/[\s,]+/).find((table) => tables.has(table))
    if (lost) return [{ statement: sql, problem: `the last release uses the table ${lost}` }]
    const [, table, actions] = ALTER.exec(sql) ?? []
    if (!table || !isKnown(table)) return []
    return actionsOf(actions).flatMap((action) => {
      const problem = problemOf(action, isKnownColumn)
      return problem ? [{ statement: `ALTER TABLE ${table} ${action}`, problem }] : []
    })
  })
}

function problemOf(action: string, isKnownColumn: (column: string) => boolean) {
  if (/^RENAME (?!CONSTRAINT\b)/i.test(action))
    return 'the last release uses the former name: add the new one, and keep both the same by a trigger'
  const [, column] = DROP_COLUMN.exec(action) ?? []
  if (column && isKnownColumn(column))
    return 'the last release uses the column: drop it in the release after the next'
  if (/^ALTER (COLUMN )?\S+ SET NOT NULL\b/i.test(action))
    return 'the last release may leave the column null: its INSERT fails'
  if (ADD_COLUMN.test(action) && !/\b(DEFAULT|GENERATED)\b/i.test(action))
    return 'the last release leaves the column null: its INSERT fails'
  return null
}

/** Cut at every semicolon, so that what a function's body executes is read, too. */
const statementsWithBodies = (source: string) =>
  sqlOf(source)
    .flatMap((sql) => sql.replaceAll(/--[^\n]*/g, ' ').split(';'))
    .map((sql) => sql.replaceAll(/\s+/g, ' ').trim())
