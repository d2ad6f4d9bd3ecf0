import { BaseSchema } from '@adonisjs/lucid/schema'

/** What the seal of a statement covers: table → columns that an UPDATE may change, and while which condition holds; null: none. */
const KEPT: Record<string, { mayChange: string[]; isOpen: string } | null> = {
  settlement_statements: {
    mayChange: ['status', 'status_at', 'status_by', 'status_note'],
    isOpen: 'true',
  },
  settlement_memos: {
    mayChange: ['number', 'outcome', 'decided_by', 'decided_at'],
    isOpen: 'OLD.outcome IS NULL',
  },
  settlement_payments: null,
  settlement_payment_parts: null,
}
/** Tables whose rows other triggers already keep from UPDATE and DELETE. */
const KEPT_BY_OTHERS = ['settlement_terms', 'settlement_superseded_lines']
const NEVER_EMPTIED = [...Object.keys(KEPT), ...KEPT_BY_OTHERS]

/** The second form of a statement's hash, tables that it covers, and what verifying them has found. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      -- Every statement so far has the first form, and so have those of processes that don't know the second yet.
      ALTER TABLE settlement_statements
        ADD COLUMN hash_version smallint NOT NULL DEFAULT 1 CHECK (hash_version IN (1, 2));

      -- Which statement's seal covers a part: the first one whose data are of a later moment.
      ALTER TABLE settlement_payment_parts
        ADD COLUMN allocated_at timestamptz NOT NULL DEFAULT clock_timestamp();

      CREATE TABLE settlement_statement_checks (
        statement_id integer PRIMARY KEY REFERENCES settlement_statements,
        checked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        -- The parts that differ from what was issued; empty when all agree.
        wrong text[] NOT NULL
      );
      CREATE INDEX settlement_statement_checks_wrong ON settlement_statement_checks (statement_id) WHERE wrong <> '{}';
    `)
    for (const [table, open] of Object.entries(KEPT)) {
      const names = `ARRAY[${open?.mayChange.map((name) => `'${name}'`).join(', ')}]::text[]`
      const condition = open
        ? `WHEN (NOT (${open.isOpen}) OR to_jsonb(OLD) - ${names} IS DISTINCT FROM to_jsonb(NEW) - ${names})`
        : ''
      this.schema.raw(`
        CREATE TRIGGER ${table}_are_kept BEFORE UPDATE ON ${table} FOR EACH ROW ${condition}
          EXECUTE FUNCTION refuse_change()
      `)
      this.schema.raw(`
        CREATE TRIGGER ${table}_are_never_deleted BEFORE DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION refuse_change()
      `)
    }
    for (const table of NEVER_EMPTIED)
      this.schema.raw(`
        CREATE TRIGGER ${table}_are_never_emptied BEFORE TRUNCATE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
      `)
  }

  async down() {
    for (const table of NEVER_EMPTIED)
      this.schema.raw(`DROP TRIGGER ${table}_are_never_emptied ON ${table}`)
    for (const table of Object.keys(KEPT)) {
      this.schema.raw(`DROP TRIGGER ${table}_are_never_deleted ON ${table}`)
      this.schema.raw(`DROP TRIGGER ${table}_are_kept ON ${table}`)
    }
    this.schema.raw(`
      DROP TABLE settlement_statement_checks;
      ALTER TABLE settlement_payment_parts DROP COLUMN allocated_at;
      ALTER TABLE settlement_statements DROP COLUMN hash_version;
    `)
  }
}
