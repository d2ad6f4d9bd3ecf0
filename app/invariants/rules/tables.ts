import { MOST_FOUND, sqlRules, type Invariant, type SqlRule } from '#invariants/invariant'
import { findChangedGuards } from '#invariants/rules/guards'
import { RIGHTS_OF_ROLES } from '#invariants/rules/rights'

const ALWAYS = ['UPDATE', 'DELETE', 'TRUNCATE']

/** Table → what a trigger refuses on it, for all of its rows or for those that are settled; in the schema of any version. */
export const GUARDED_TABLES: Record<string, readonly string[]> = {
  journal: ALWAYS,
  ledger_movements: ALWAYS,
  orders: ['DELETE'],
  confirm_attempts: ALWAYS,
  event_grants: ['DELETE'],
  settlement_terms: ALWAYS,
  settlement_statements: ALWAYS,
  settlement_superseded_lines: ALWAYS,
  settlement_rounded_sales: ALWAYS,
  settlement_memos: ALWAYS,
  settlement_payments: ALWAYS,
  settlement_seals: ALWAYS,
  settlement_payment_parts: ALWAYS,
  settlement_allocations: ALWAYS,
  settlement_requests: ALWAYS,
  settlement_single_acts: ALWAYS,
  settlement_issuers: ALWAYS,
  settlement_answers: ALWAYS,
  settlement_rule_sets: ALWAYS,
  partner_registers: ['DELETE'],
}

/** Functions of triggers that refuse a change; those of the journal and of attempts let words about an erased buyer go. */
const REFUSING = `('refuse_change', 'keep_settled', 'refuse_journal_change', 'refuse_attempt_change')`
/** Bits of `pg_trigger.tgtype`. */
const OPERATION_BIT = { UPDATE: 16, DELETE: 8, TRUNCATE: 32 }

const wanted = Object.entries(GUARDED_TABLES)
  .flatMap(([table, operations]) => operations.map((operation) => [table, operation] as const))
  .map(
    ([table, operation]) =>
      `('${table}', '${operation}', ${OPERATION_BIT[operation as keyof typeof OPERATION_BIT]})`
  )

/** Also those by which PostgreSQL keeps references. */
const TRIGGERS = `
  SELECT c.relname::text AS table_name, coalesce(k.conname, t.tgname)::text AS name, t.tgenabled IN ('O', 'A') AS is_enabled, t.tgtype,
         p.proname
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
    LEFT JOIN pg_constraint k ON k.oid = t.tgconstraint
   WHERE c.relnamespace = 'public'::regnamespace`

const GUARDS_OF_ANY_VERSION: SqlRule = {
  all: TRIGGERS,
  changed: null,
  counterexamples: `
    WITH wanted (table_name, operation, bit) AS (VALUES ${wanted.join(', ')})
    SELECT 'NOT_GUARDED' AS code, 'table' AS kind, table_name AS id, operation || ' ' || table_name AS label
      FROM (SELECT * FROM wanted UNION ALL
            SELECT partition_name, operation, bit FROM wanted JOIN month_partitions USING (table_name)) wanted
     WHERE NOT EXISTS (SELECT 1 FROM looked
                        WHERE looked.table_name = wanted.table_name AND is_enabled AND tgtype & bit > 0 AND proname IN ${REFUSING})
     UNION ALL
    SELECT DISTINCT 'TRIGGER_DISABLED', 'table', table_name, name FROM looked WHERE NOT is_enabled
     UNION ALL
    SELECT 'TRIGGERS_OFF', 'table', 'postgresql', 'session_replication_role'
     WHERE current_setting('session_replication_role') <> 'origin'`,
}

const findByRules = sqlRules('tables', GUARDS_OF_ANY_VERSION, ...RIGHTS_OF_ROLES)

/**
 * Reads PostgreSQL's catalogue: what keeps rows from being changed is there, enabled, and as the migrations have made it, nothing
 * else changes or hides them, and the roles of the application and of reports could not remove it.
 */
export const findUnguardedTables: Invariant['find'] = async (scope, reading) => {
  const byRules = await findByRules(scope, reading)
  const guards = await findChangedGuards(reading.trx)
  return {
    rowsLookedAt: byRules.rowsLookedAt + guards.rowsLookedAt,
    counterexamples: [...byRules.counterexamples, ...guards.counterexamples].slice(0, MOST_FOUND),
  }
}
