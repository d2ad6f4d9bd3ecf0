import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * The journal and the confirm attempts become partitioned by month (docs/adr/0031-partitions-by-month.md). Here: what the present
 * tables promise, so that each can become the first partition without being read under a lock. The release before goes on writing
 * them, so each statement is a transaction of its own.
 */
export default class extends BaseSchema {
  static override disableTransactions = true

  async up() {
    this.schema.raw(`
      -- The tables that are partitioned by month. Their first partition has all before first_bound: at least a month is left until
      -- then, so that what is sold while the migrations run is not refused.
      CREATE TABLE IF NOT EXISTS monthly_tables (
        table_name text PRIMARY KEY,
        time_column text NOT NULL,
        -- For each partition: a partitioned table has no storage.
        storage_options text NOT NULL,
        first_bound timestamptz NOT NULL
      )`)
    this.schema.raw(`
      INSERT INTO monthly_tables
      SELECT name, time_column, storage_options,
             (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC'
        FROM (VALUES ('journal', 'at', 'fillfactor = 100'), ('confirm_attempts', 'received_at', 'fillfactor = 85'))
             wanted (name, time_column, storage_options)
      ON CONFLICT DO NOTHING`)
    for (const table of ['journal', 'confirm_attempts'])
      this.schema.raw(`
        DO $$
        DECLARE
          monthly monthly_tables;
        BEGIN
          SET LOCAL lock_timeout = '3s';
          SELECT * INTO STRICT monthly FROM monthly_tables WHERE table_name = '${table}';
          EXECUTE format('ALTER TABLE %I DROP CONSTRAINT IF EXISTS before_first_bound', monthly.table_name);
          EXECUTE format('ALTER TABLE %I ADD CONSTRAINT before_first_bound CHECK (%I < %L) NOT VALID',
                         monthly.table_name, monthly.time_column, monthly.first_bound);
        END $$`)
    this.schema.raw(`
      CREATE OR REPLACE FUNCTION find_journal_time() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT at INTO NEW.journal_at FROM journal WHERE id = NEW.journal_id;
        RETURN NEW;
      END $$`)
    this.schema.raw(`
      DO $$
      BEGIN
        SET LOCAL lock_timeout = '3s';
        -- With the time, a reference to the journal names one partition. The release before does not write it.
        ALTER TABLE webhook_deliveries ADD COLUMN IF NOT EXISTS journal_at timestamptz;
        CREATE OR REPLACE TRIGGER webhook_deliveries_find_journal_time BEFORE INSERT ON webhook_deliveries
          FOR EACH ROW WHEN (NEW.journal_id IS NOT NULL AND NEW.journal_at IS NULL) EXECUTE FUNCTION find_journal_time();
      END $$`)
  }

  async down() {
    this.schema.raw('DROP TRIGGER webhook_deliveries_find_journal_time ON webhook_deliveries')
    this.schema.raw('ALTER TABLE webhook_deliveries DROP COLUMN journal_at')
    this.schema.raw('DROP FUNCTION find_journal_time')
    for (const table of ['journal', 'confirm_attempts'])
      this.schema.raw(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS before_first_bound`)
    this.schema.raw('DROP TABLE monthly_tables')
  }
}
