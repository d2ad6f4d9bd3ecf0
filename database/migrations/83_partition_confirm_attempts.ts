import { BaseSchema } from '@adonisjs/lucid/schema'

/** As the journal before it. In a transaction of its own: a confirm writes both tables, and must not wait crosswise. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      SELECT partition_by_month('confirm_attempts');
      DROP FUNCTION partition_by_month;
    `)
  }

  async down() {
    this.schema.raw(`
      -- One table again, of the same name: copies every row.
      CREATE FUNCTION unite_months(parent text) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        written text[];
        last_id bigint;
        one text;
      BEGIN
        EXECUTE format('SELECT coalesce(max(id), 0) FROM %I', parent) INTO last_id;
        SELECT array_agg(sql ORDER BY rank, sql) INTO written FROM (
          SELECT 1 AS rank, pg_get_indexdef(indexrelid) AS sql FROM pg_index
           WHERE indrelid = parent::regclass AND NOT indisprimary
           UNION ALL
          SELECT 2, format('ALTER TABLE %I ADD CONSTRAINT %I %s', parent, conname, pg_get_constraintdef(oid)) FROM pg_constraint
           WHERE conrelid = parent::regclass AND contype = 'f'
           UNION ALL
          SELECT 3, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = parent::regclass AND NOT tgisinternal) definitions;
        EXECUTE format('CREATE TABLE united (LIKE %I INCLUDING DEFAULTS) WITH (%s)', parent,
                       (SELECT storage_options FROM monthly_tables WHERE table_name = parent));
        EXECUTE format('INSERT INTO united SELECT * FROM %I', parent);
        EXECUTE format('DROP TABLE %I', parent);
        EXECUTE format('ALTER TABLE united RENAME TO %I', parent);
        EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (id)', parent);
        EXECUTE format('ALTER TABLE %I ALTER id ADD GENERATED ALWAYS AS IDENTITY (START WITH %s)', parent, last_id + 1);
        FOREACH one IN ARRAY written LOOP
          EXECUTE one;
        END LOOP;
      END $$;
      SELECT unite_months('confirm_attempts');
    `)
  }
}
