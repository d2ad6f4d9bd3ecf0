import { APPLICATION_PRIVILEGES } from '#database/privileges'
import { sqlRules } from '#invariants/invariant'

const ALWAYS = ['UPDATE', 'DELETE', 'TRUNCATE']

/** Table → what a trigger refuses on it, for all of its rows or for those that are settled. */
export const GUARDED_TABLES: Record<string, readonly string[]> = {
  journal: ALWAYS,
  ledger_movements: ALWAYS,
  orders: ['DELETE'],
  confirm_attempts: ['DELETE', 'TRUNCATE'],
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

/** Indexes that refuse what must never be. */
const GUARDING_INDEXES = ['one_live_ticket']

/** Functions of triggers that refuse a change; the journal's lets words about an erased buyer go. */
const REFUSING = `('refuse_change', 'keep_settled', 'refuse_journal_change')`
/** Bits of `pg_trigger.tgtype`. */
const OPERATION_BIT = { UPDATE: 16, DELETE: 8, TRUNCATE: 32 }

const wanted = Object.entries(GUARDED_TABLES)
  .flatMap(([table, operations]) => operations.map((operation) => [table, operation] as const))
  .map(
    ([table, operation]) =>
      `('${table}', '${operation}', ${OPERATION_BIT[operation as keyof typeof OPERATION_BIT]})`
  )

/**
 * What the role of the application has no right to. An UPDATE of single columns is no UPDATE of the table: that the triggers judge.
 */
const unwanted = Object.entries(GUARDED_TABLES)
  .flatMap(([table, operations]) => operations.map((operation) => [table, operation] as const))
  .filter(([table, operation]) => operation === 'TRUNCATE' || !mayDo(table, operation))
  .map(([table, operation]) => `('${table}', '${operation}')`)

function mayDo(table: string, operation: string) {
  const may = APPLICATION_PRIVILEGES[table]
  return operation === 'UPDATE' ? may.update === true : may.delete === true
}

const OWNS_TABLES = `EXISTS (SELECT FROM pg_class WHERE oid = 'journal'::regclass AND pg_has_role(relowner, 'USAGE'))`

const TRIGGERS = `
  SELECT c.relname::text AS table_name, t.tgname::text AS name, t.tgenabled IN ('O', 'A') AS is_enabled, t.tgtype, p.proname
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
   WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace`

/**
 * Reads PostgreSQL's catalogue: triggers and indexes that keep rows from being changed are there, and enabled, and the role of the
 * application could not remove them.
 */
export const findUnguardedTables = sqlRules('tables', {
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
    SELECT 'TRIGGER_DISABLED', 'table', table_name, name FROM looked WHERE NOT is_enabled
     UNION ALL
    SELECT 'INDEX_MISSING', 'table', 'tickets', name FROM unnest(ARRAY['${GUARDING_INDEXES.join("', '")}']) name
     WHERE NOT EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(name) AND indisunique AND indisvalid)
     UNION ALL
    SELECT 'TRIGGERS_OFF', 'table', 'postgresql', 'session_replication_role'
     WHERE current_setting('session_replication_role') <> 'origin'
     UNION ALL
    SELECT 'APPLICATION_OWNS_TABLES', 'table', 'postgresql', current_user::text WHERE ${OWNS_TABLES}
     UNION ALL
    SELECT 'APPLICATION_MAY_CHANGE', 'table', unwanted.table_name, operation || ' ' || unwanted.table_name
      FROM (VALUES ${unwanted.join(', ')}) unwanted (table_name, operation)
     WHERE NOT ${OWNS_TABLES} AND has_table_privilege(to_regclass(unwanted.table_name), operation)`,
})
