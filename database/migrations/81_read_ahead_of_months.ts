import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * All reading of the long tables that partitioning them needs, while sales go on: each statement is a transaction of its own, and
 * a repeated migration begins again with an index that was not finished.
 */
export default class extends BaseSchema {
  static override disableTransactions = true

  async up() {
    this.schema.raw('ALTER TABLE journal VALIDATE CONSTRAINT before_first_bound')
    this.schema.raw('ALTER TABLE confirm_attempts VALIDATE CONSTRAINT before_first_bound')
    // A key of a partitioned table has to name the partition.
    this.schema.raw('DROP INDEX CONCURRENTLY IF EXISTS journal_first_pkey')
    this.schema.raw('CREATE UNIQUE INDEX CONCURRENTLY journal_first_pkey ON journal (id, at)')
    this.schema.raw('DROP INDEX CONCURRENTLY IF EXISTS confirm_attempts_first_pkey')
    this.schema.raw(
      'CREATE UNIQUE INDEX CONCURRENTLY confirm_attempts_first_pkey ON confirm_attempts (id, received_at)'
    )
    this.schema.raw(`
      DO $$
      DECLARE
        place bigint := 0;
      BEGIN
        -- In batches, so that no delivery waits long for its row.
        WHILE place IS NOT NULL LOOP
          WITH batch AS MATERIALIZED (
            SELECT id FROM webhook_deliveries WHERE id > place ORDER BY id LIMIT 5000),
          filled AS (
            UPDATE webhook_deliveries d SET journal_at = j.at FROM journal j
             WHERE d.id = ANY (ARRAY(SELECT id FROM batch)) AND d.journal_at IS NULL AND j.id = d.journal_id)
          SELECT max(id) INTO place FROM batch;
          COMMIT;
        END LOOP;
      END $$`)
  }

  async down() {
    this.schema.raw('DROP INDEX CONCURRENTLY IF EXISTS journal_first_pkey')
    this.schema.raw('DROP INDEX CONCURRENTLY IF EXISTS confirm_attempts_first_pkey')
  }
}
