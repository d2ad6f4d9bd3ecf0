import { BaseSchema } from '@adonisjs/lucid/schema'

/** What creates partitions ahead, and detaches old ones; `app/worker/keep_months.ts` calls it. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      CREATE SCHEMA IF NOT EXISTS archive;

      -- Months that were detached, in the order of time: what a table has begins at the last of them.
      CREATE TABLE archived_months (
        table_name text NOT NULL REFERENCES monthly_tables,
        partition_name text NOT NULL,
        until_at timestamptz NOT NULL,
        detached_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (table_name, until_at)
      );

      -- The partition of rows for which there is no month yet has neither time; the first one has only the second.
      CREATE VIEW month_partitions AS
      SELECT p.relname::text AS table_name, c.relname::text AS partition_name, c.oid AS partition_oid,
             substring(bounds FROM 'FROM [(]''([^'']+)''[)]')::timestamptz AS from_at,
             substring(bounds FROM 'TO [(]''([^'']+)''[)]')::timestamptz AS until_at
        FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent JOIN pg_class c ON c.oid = i.inhrelid,
             LATERAL pg_get_expr(c.relpartbound, c.oid) bounds
       WHERE p.relname IN (SELECT table_name FROM monthly_tables) AND p.relnamespace = 'public'::regnamespace;

      CREATE FUNCTION attach_partition(parent text, name text, bounds text) RETURNS void LANGUAGE plpgsql
        SET search_path = pg_catalog, public, pg_temp AS $$
      BEGIN
        -- Attached afterwards: CREATE TABLE … PARTITION OF would lock the whole table.
        EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) WITH (%s)', name, parent,
                       (SELECT storage_options FROM monthly_tables WHERE table_name = parent));
        EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I %s', parent, name, bounds);
        -- Triggers of single rows come with the table; this one would not.
        EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON public.%I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
                       parent || '_is_never_emptied', name);
      END $$;

      -- Makes the partitions of this month and the following ones; returns the names of new ones. Rows that came while there was
      -- no month for them become a partition of their own.
      CREATE FUNCTION create_months(months_ahead integer) RETURNS text[] LANGUAGE plpgsql
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
        LOCK TABLE monthly_tables IN SHARE ROW EXCLUSIVE MODE;
        FOR monthly IN SELECT * FROM monthly_tables ORDER BY table_name LOOP
          rest := monthly.table_name || '_default';
          SELECT max(until_at) INTO upper_bound FROM month_partitions WHERE table_name = monthly.table_name;
          EXECUTE format('SELECT max(%I) FROM %I', monthly.time_column, rest) INTO newest;
          IF newest >= now() + interval '1 year' THEN
            RAISE '% has a row of %, the clock may be wrong', rest, newest;
          ELSIF newest IS NOT NULL THEN
            name := monthly.table_name || to_char(upper_bound, '_YYYY_MM');
            month := date_trunc('month', newest) + interval '1 month';
            EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', monthly.table_name, rest);
            EXECUTE format('ALTER TABLE %I RENAME TO %I', rest, name);
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', monthly.table_name, name, upper_bound, month);
            PERFORM attach_partition(monthly.table_name, rest, 'DEFAULT');
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

      -- Moves the oldest partition of a table to the schema archive when all of it is older than so many months; returns its name.
      -- Nothing younger than two years can be taken out, whatever the caller says. A month that a delivery refers to stays.
      CREATE FUNCTION detach_oldest_month(monthly_table text, months_kept integer) RETURNS text LANGUAGE plpgsql
        SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET timezone = 'UTC' SET lock_timeout = '500ms' AS $$
      DECLARE
        oldest month_partitions;
      BEGIN
        IF months_kept < 24 THEN
          RAISE 'at least 24 months are kept, not %', months_kept;
        END IF;
        LOCK TABLE monthly_tables IN SHARE ROW EXCLUSIVE MODE;
        SELECT * INTO oldest FROM month_partitions
         WHERE table_name = monthly_table AND until_at <= date_trunc('month', now()) - make_interval(months => months_kept)
         ORDER BY until_at LIMIT 1;
        IF NOT FOUND THEN
          RETURN NULL;
        END IF;
        IF monthly_table = 'journal' AND EXISTS (SELECT FROM webhook_deliveries WHERE journal_at < oldest.until_at) THEN
          RETURN NULL;
        END IF;
        EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', monthly_table, oldest.partition_name);
        -- The partitioned table took its triggers with it.
        EXECUTE format('CREATE TRIGGER is_archived BEFORE INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()',
                       oldest.partition_name);
        EXECUTE format('ALTER TABLE %I SET SCHEMA archive', oldest.partition_name);
        INSERT INTO archived_months (table_name, partition_name, until_at)
        VALUES (monthly_table, oldest.partition_name, oldest.until_at);
        RETURN oldest.partition_name;
      END $$;

      REVOKE EXECUTE ON FUNCTION attach_partition, create_months, detach_oldest_month FROM PUBLIC;

      SET LOCAL lock_timeout = '3s';
      SELECT attach_partition('journal', 'journal_default', 'DEFAULT'), attach_partition('confirm_attempts', 'confirm_attempts_default', 'DEFAULT');
      CREATE TRIGGER confirm_attempts_is_never_emptied BEFORE TRUNCATE ON confirm_attempts
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER confirm_attempts_is_never_emptied BEFORE TRUNCATE ON confirm_attempts_first
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
      SELECT create_months(3);
    `)
  }

  async down() {
    this.schema.raw(`
      DROP FUNCTION detach_oldest_month, create_months, attach_partition;
      DROP VIEW month_partitions;
      DROP TABLE archived_months;
      DROP TRIGGER confirm_attempts_is_never_emptied ON confirm_attempts;
    `)
  }
}
