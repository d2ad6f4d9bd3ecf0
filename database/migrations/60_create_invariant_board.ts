import { BaseSchema } from '@adonisjs/lucid/schema'

/** What the invariants of `app/invariants` have found, and mails about one that is broken. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      CREATE TABLE invariant_runs (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        invariant text NOT NULL,
        state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'green', 'red', 'failed')),
        -- Where the incremental form began to read; null for the full form.
        since timestamptz,
        -- The moment of the data that were read: the next incremental run begins here.
        as_of timestamptz,
        asked_by text,
        started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        ended_at timestamptz,
        took_ms integer,
        rows_looked_at bigint,
        -- At most as many as one run counts.
        found integer,
        counterexamples jsonb,
        failure text,
        CHECK ((state = 'running') = (ended_at IS NULL)),
        CHECK ((state = 'failed') = (failure IS NOT NULL)),
        CHECK (state NOT IN ('green', 'red') OR num_nonnulls(as_of, rows_looked_at, found, counterexamples) = 4),
        CHECK (state NOT IN ('green', 'red') OR (state = 'red') = (found > 0))
      );
      CREATE INDEX invariant_runs_of_invariant ON invariant_runs (invariant, id);
      CREATE INDEX invariant_runs_full ON invariant_runs (invariant, id) WHERE since IS NULL AND state IN ('green', 'red');

      CREATE TABLE invariant_states (
        invariant text PRIMARY KEY,
        -- Since when it is broken; null while it holds.
        red_since timestamptz,
        -- When the staff on duty were mailed about that.
        alerted_at timestamptz,
        -- Somebody wants a full run now.
        run_asked_at timestamptz,
        run_asked_by text,
        CHECK (red_since IS NOT NULL OR alerted_at IS NULL),
        CHECK ((run_asked_at IS NULL) = (run_asked_by IS NULL))
      );

      -- One row: the worker that runs the invariants, and until when no other may.
      CREATE TABLE invariant_lease (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        claim uuid,
        lease_until timestamptz NOT NULL DEFAULT '-infinity'
      );
      INSERT INTO invariant_lease DEFAULT VALUES;

      -- An alert about an invariant is about no partner and no orders.
      -- Short lock: mails has some thousand rows, and no sale waits for it.
      ALTER TABLE mails
        ALTER partner_id DROP NOT NULL,
        ADD invariant text,
        DROP CONSTRAINT mails_orders_check,
        ADD CONSTRAINT mails_alert_check CHECK (
          num_nonnulls(order_ids, invariant) = CASE purpose WHEN 'alert' THEN 1 ELSE 0 END),
        ADD CONSTRAINT mails_partner_check CHECK ((partner_id IS NULL) = (invariant IS NOT NULL));
    `)
  }

  async down() {
    this.schema.raw(`
      DELETE FROM mails WHERE invariant IS NOT NULL;
      ALTER TABLE mails
        DROP CONSTRAINT mails_partner_check,
        DROP CONSTRAINT mails_alert_check,
        ADD CONSTRAINT mails_orders_check CHECK ((purpose = 'alert') = (order_ids IS NOT NULL)),
        DROP invariant,
        ALTER partner_id SET NOT NULL;
      DROP TABLE invariant_lease, invariant_states, invariant_runs;
    `)
  }
}
