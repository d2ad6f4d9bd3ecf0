import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * Rows of the partition for which there is no month yet become a month also when deliveries refer to them: a partition with such
 * rows is not detached while the reference is checked.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(createMonths({ isReferenceKept: true }))
  }

  async down() {
    this.schema.raw(createMonths({ isReferenceKept: false }))
  }
}

const VALIDATE = `
    -- Rows have been checked when they were written: this reads them while everybody goes on.
    IF EXISTS (SELECT FROM pg_constraint WHERE conname = 'webhook_deliveries_journal_fkey' AND NOT convalidated) THEN
      ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT webhook_deliveries_journal_fkey;
    END IF;`

const DROP_REFERENCE = `
        IF monthly.table_name = 'journal' THEN
          ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_journal_fkey;
        END IF;`

// Validated by the next run: it would read all deliveries under the locks of this one.
const ADD_REFERENCE = `
        IF monthly.table_name = 'journal' THEN
          ALTER TABLE webhook_deliveries
            ADD CONSTRAINT webhook_deliveries_journal_fkey FOREIGN KEY (journal_id, journal_at) REFERENCES journal (id, at) NOT VALID;
        END IF;`

const createMonths = ({ isReferenceKept }: { isReferenceKept: boolean }) => `
  CREATE OR REPLACE FUNCTION create_months(months_ahead integer) RETURNS text[] LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET timezone = 'UTC' SET lock_timeout = '500ms' AS $$
  DECLARE
    monthly monthly_tables;
    rest text;
    upper_bound timestamptz;
    month timestamptz;
    newest timestamptz;
    name text;
    created text[] := '{}';
  BEGIN
    LOCK TABLE monthly_tables IN SHARE ROW EXCLUSIVE MODE;${isReferenceKept ? VALIDATE : ''}
    FOR monthly IN SELECT * FROM monthly_tables ORDER BY table_name LOOP
      rest := monthly.table_name || '_default';
      SELECT max(until_at) INTO upper_bound FROM month_partitions WHERE table_name = monthly.table_name;
      EXECUTE format('SELECT max(%I) FROM %I', monthly.time_column, rest) INTO newest;
      IF newest >= now() + interval '1 year' THEN
        RAISE '% has a row of %, the clock may be wrong', rest, newest;
      ELSIF newest IS NOT NULL THEN
        name := monthly.table_name || to_char(upper_bound, '_YYYY_MM');
        month := date_trunc('month', newest) + interval '1 month';${isReferenceKept ? DROP_REFERENCE : ''}
        EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', monthly.table_name, rest);
        EXECUTE format('ALTER TABLE %I RENAME TO %I', rest, name);
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', monthly.table_name, name, upper_bound, month);
        PERFORM attach_partition(monthly.table_name, rest, 'DEFAULT');${isReferenceKept ? ADD_REFERENCE : ''}
        created := created || name;
        upper_bound := month;
      END IF;
      WHILE upper_bound <= date_trunc('month', now()) + make_interval(months => months_ahead) LOOP
        name := monthly.table_name || to_char(upper_bound, '_YYYY_MM');
        month := upper_bound + interval '1 month';
        PERFORM attach_partition(monthly.table_name, name, format('FOR VALUES FROM (%L) TO (%L)', upper_bound, month));
        created := created || name;
        upper_bound := month;
      END LOOP;
    END LOOP;
    RETURN created;
  END $$;
`
