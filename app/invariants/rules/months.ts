import { sqlRules } from '#invariants/invariant'

/** A job creates three months ahead, so fewer than two mean that it has failed for a month. */
const FEWEST_AHEAD = `interval '2 months'`

const hasRowsWithoutMonth = (table: string, column: string) => `
    SELECT 'ROWS_WITHOUT_MONTH', 'table', '${table}', '${table}'
     WHERE EXISTS (SELECT 1 FROM ${table} WHERE ${column} >= (SELECT until_at FROM looked WHERE table_name = '${table}'))`

/**
 * Tables that are partitioned by month (ADR 31) have their next months, and PostgreSQL has room for the locks of a statement that
 * reads all of them in every connection at once.
 */
export const findMissingMonths = sqlRules('months', {
  all: `SELECT table_name, max(until_at) AS until_at, count(*) + sum(indexes.count) AS relations
          FROM month_partitions, LATERAL (SELECT count(*) FROM pg_index WHERE indrelid = partition_oid) indexes GROUP BY table_name`,
  changed: null,
  counterexamples: `
    SELECT 'MONTHS_MISSING' AS code, 'table' AS kind, table_name AS id, table_name AS label FROM looked
     WHERE until_at < :asOf::timestamptz + ${FEWEST_AHEAD}
     UNION ALL
    SELECT 'LOCKS_TOO_FEW', 'table', table_name, 'max_locks_per_transaction < ' || relations FROM looked
     WHERE relations > current_setting('max_locks_per_transaction')::integer
     UNION ALL ${hasRowsWithoutMonth('journal', 'at')}
     UNION ALL ${hasRowsWithoutMonth('confirm_attempts', 'received_at')}`,
})
