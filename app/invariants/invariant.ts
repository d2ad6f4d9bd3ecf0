import type { BackgroundThrottle } from '#shared/background_throttle'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** What a counterexample is about; the page links to it where it has a page. */
export type SubjectKind =
  'order' | 'event' | 'booking' | 'statement' | 'delivery' | 'partner' | 'table' | 'relay'

/** A row that contradicts an invariant. */
export interface Counterexample {
  /** Which rule of the invariant it breaks; its words are in the pages' texts. */
  code: string
  kind: SubjectKind
  id: string
  /** What people call it: a ticket's number, `SET-000001`. */
  label: string
}

/** Which rows one run reads. */
export interface RunScope {
  /** The moment of the data, ISO 8601 with microseconds. What ends is compared with it, not with now: a standby may be behind. */
  asOf: string
  /** Rows that changed since then are read; null for the full form. */
  since: Date | null
  /** The journal's first entry since then; 0 for the full form. */
  sinceEntry: bigint
}

export interface Finding {
  rowsLookedAt: number
  /** At most `MOST_FOUND`. */
  counterexamples: Counterexample[]
}

export interface Reading {
  /** One read-only snapshot. */
  trx: TransactionClientContract
  throttle: BackgroundThrottle
}

export interface Invariant {
  everyMs: number
  /** How often everything is read again at least; null when there is no incremental form, because everything is little. */
  fullEveryMs: number | null
  find(scope: RunScope, reading: Reading): Promise<Finding>
}

/** One run counts no further. */
export const MOST_FOUND = 100

/** An invariant's rule in SQL. Parameters: `:asOf`, `:since` and `:sinceEntry` of the scope. */
export interface SqlRule {
  /** The rows that the full form reads. */
  all: string
  /** The rows that the incremental form reads; null: all of them. */
  changed: string | null
  /** Selects code, kind, id and label of counterexamples among the rows, which it knows as `looked`. */
  counterexamples: string
}

interface Found {
  rows: number
  counterexamples: Counterexample[]
}
type SqlParams = Pick<RunScope, 'asOf'> & { since: Date; sinceEntry: bigint }

/**
 * Runs rules one after another and adds up what they find.
 *
 *     all              SELECT id FROM orders
 *     changed          SELECT order_id AS id FROM journal WHERE id >= :sinceEntry
 *     counterexamples  SELECT 'TOTAL_WRONG' AS code, 'order' AS kind, o.id, o.id AS label
 *                        FROM looked JOIN orders o ON o.id = looked.id WHERE …
 */
export function sqlRules(name: string, ...rules: SqlRule[]): Invariant['find'] {
  const prepared = rules.map(({ all, changed, counterexamples }, index) => ({
    full: prepare(`invariant_${name}_${index}_full`, all, counterexamples),
    incremental: prepare(`invariant_${name}_${index}_changed`, changed ?? all, counterexamples),
  }))
  return async ({ asOf, since, sinceEntry }, { trx, throttle }) => {
    const finding: Finding = { rowsLookedAt: 0, counterexamples: [] }
    for (const { full, incremental } of prepared) {
      const find = since ? incremental : full
      const found = await find.one({ asOf, since: since ?? new Date(0), sinceEntry }, trx)
      finding.rowsLookedAt += found.rows
      finding.counterexamples.push(...found.counterexamples)
      await throttle.pause()
    }
    return { ...finding, counterexamples: finding.counterexamples.slice(0, MOST_FOUND) }
  }
}

const prepare = (name: string, looked: string, counterexamples: string) =>
  statement<Found, SqlParams>(
    name,
    `WITH looked AS MATERIALIZED (${looked})
     SELECT (SELECT count(*) FROM looked)::float8 AS rows,
            (SELECT coalesce(json_agg(found), '[]')
               FROM (SELECT code, kind, id, label FROM (${counterexamples}) listed LIMIT ${MOST_FOUND}) found) AS counterexamples`
  )

/** SQL of pairs for `(from, to) NOT IN (…)`, from a state table. */
export function allowedSteps(table: Record<string, Partial<Record<string, string>>>): string {
  const pairs = Object.entries(table).flatMap(([from, next]) =>
    Object.values(next).map((to) => `('${from}', '${to}')`)
  )
  return pairs.join(', ')
}
