import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * The journal becomes partitioned: the table so far is the first partition, under the name journal_first. Nothing is read or
 * copied: a matching CHECK and matching indexes are there already.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- Puts a partitioned table with the same columns, keys, indexes, triggers and grants in the place of a table.
      CREATE FUNCTION partition_by_month(parent text) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        monthly monthly_tables;
        first text := parent || '_first';
        written text[];
        one record;
        last_id bigint;
      BEGIN
        SELECT * INTO STRICT monthly FROM monthly_tables WHERE table_name = parent;
        EXECUTE format('LOCK TABLE %I', parent);
        -- It would go on reading the first partition alone.
        IF EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_rewrite'::regclass AND refobjid = parent::regclass) THEN
          RAISE '% cannot be partitioned while a view reads it', parent;
        END IF;
        EXECUTE format('SELECT coalesce(max(id), 0) FROM %I', parent) INTO last_id;
        last_id := greatest(last_id, (SELECT last_value FROM pg_sequences
                                       WHERE schemaname || '.' || sequencename = pg_get_serial_sequence(parent, 'id')), 0);

        -- As they are now, under the table's name.
        SELECT array_agg(sql ORDER BY rank, sql) INTO written FROM (
          SELECT 1 AS rank, pg_get_indexdef(indexrelid) AS sql FROM pg_index
           WHERE indrelid = parent::regclass AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
             AND indexrelid <> to_regclass(first || '_pkey')
           UNION ALL
          SELECT 2, format('ALTER TABLE %I ADD CONSTRAINT %I %s', parent, conname, pg_get_constraintdef(oid)) FROM pg_constraint
           WHERE conrelid = parent::regclass AND contype = 'f'
           UNION ALL
          SELECT 3, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = parent::regclass AND NOT tgisinternal
           UNION ALL
          SELECT 4, format('GRANT %s ON %I TO %s', privilege_type, parent, coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'))
            FROM pg_class, aclexplode(relacl) WHERE oid = parent::regclass AND grantee <> relowner
           UNION ALL
          SELECT 4, format('GRANT %s (%I) ON %I TO %s', privilege_type, attname, parent, coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'))
            FROM pg_attribute, aclexplode(attacl) WHERE attrelid = parent::regclass) definitions;

        -- Those of single rows come back from the partitioned table.
        FOR one IN SELECT tgname FROM pg_trigger WHERE tgrelid = parent::regclass AND NOT tgisinternal AND tgtype & 1 = 1 LOOP
          EXECUTE format('DROP TRIGGER %I ON %I', one.tgname, parent);
        END LOOP;
        FOR one IN SELECT i.relname FROM pg_index JOIN pg_class i ON i.oid = indexrelid
                    WHERE indrelid = parent::regclass AND i.relname <> first || '_pkey' AND NOT indisprimary LOOP
          EXECUTE format('ALTER INDEX %I RENAME TO %I', one.relname, first || substr(one.relname, length(parent) + 1));
        END LOOP;
        EXECUTE format('ALTER TABLE %I RENAME TO %I', parent, first);
        EXECUTE format('ALTER TABLE %I ALTER id DROP IDENTITY', first);
        EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', first, parent || '_pkey');
        EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY USING INDEX %I', first, first || '_pkey', first || '_pkey');

        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS) PARTITION BY RANGE (%I)', parent, first, monthly.time_column);
        EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (id, %I)', parent, monthly.time_column);
        EXECUTE format('ALTER TABLE %I ALTER id ADD GENERATED ALWAYS AS IDENTITY (START WITH %s)', parent, last_id + 1);
        FOR one IN SELECT unnest(written) AS sql LOOP
          EXECUTE one.sql;
        END LOOP;
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', parent, first, monthly.first_bound);
        EXECUTE format('ALTER TABLE %I DROP CONSTRAINT before_first_bound', first);
      END $$;

      SET LOCAL lock_timeout = '3s';
      -- Short lock: partition_by_month reads nothing.
      LOCK TABLE journal, webhook_deliveries;
      ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_journal_id_fkey;
      SELECT partition_by_month('journal');
      ALTER TABLE webhook_deliveries
        ADD CONSTRAINT webhook_deliveries_journal_fkey FOREIGN KEY (journal_id, journal_at) REFERENCES journal (id, at) NOT VALID,
        -- A reference with half a key would be none.
        ADD CONSTRAINT webhook_deliveries_journal_check CHECK ((journal_id IS NULL) = (journal_at IS NULL)) NOT VALID;
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_journal_check, DROP CONSTRAINT webhook_deliveries_journal_fkey;
      SELECT unite_months('journal');
      DROP FUNCTION unite_months;
      ALTER TABLE webhook_deliveries
        ADD CONSTRAINT webhook_deliveries_journal_id_fkey FOREIGN KEY (journal_id) REFERENCES journal;
    `)
  }
}
