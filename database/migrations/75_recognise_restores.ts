import { BaseSchema } from '@adonisjs/lucid/schema'

/** After a restore nothing is sold until `restore:finish`: seats and numbers of the lost sales would be given out again (ADR 30). */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      -- One row that knows which transaction wrote it, as restore_mark does: a dump brings it back in another one.
      CREATE TABLE selling_mark (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        made_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
        -- A dump brings it along, so that the files of a storage directory are compared with their own database only.
        installation uuid NOT NULL DEFAULT gen_random_uuid(),
        -- Since when nothing is sold, and the last entry of the journal that the restore has brought back.
        closed_at timestamptz,
        closed_because text CHECK (closed_because IN ('dump', 'behind')),
        restored_entry bigint,
        -- The history of transaction ids in which the last restore was finished.
        epoch text,
        finished_at timestamptz,
        CHECK (num_nonnulls(closed_at, closed_because, restored_entry) IN (0, 3)),
        CHECK ((epoch IS NULL) = (finished_at IS NULL))
      );
      -- A dump of an earlier release was restored: the relay has not noticed it yet.
      INSERT INTO selling_mark (made_in)
      SELECT CASE WHEN xmin = made_in::xid THEN pg_current_xact_id() ELSE '0' END FROM restore_mark;

      CREATE FUNCTION is_restore_open() RETURNS boolean LANGUAGE sql STABLE PARALLEL RESTRICTED RETURN
        (SELECT closed_at IS NOT NULL OR xmin <> made_in::xid FROM selling_mark);

      -- The state of a lock that was not granted: doors answer it with "repeat in a moment".
      CREATE FUNCTION assert_restore_finished() RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF is_restore_open() THEN
          RAISE EXCEPTION 'nothing is sold until restore:finish has run' USING ERRCODE = 'lock_not_available';
        END IF;
      END $$;

      CREATE OR REPLACE FUNCTION pass_sale_gate(asked text) RETURNS text LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(sale_gate(asked));
        PERFORM assert_restore_finished();
        RETURN (SELECT event_status(stored_status, sales_start_at, starts_at, clock_timestamp())
                  FROM events WHERE id = asked);
      END $$;

      CREATE OR REPLACE FUNCTION pass_sale_and_partner_gate(asked_event text, asked_partner integer,
        OUT status text, OUT access text, OUT is_suspended boolean, OUT max_seats integer) LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(sale_gate(asked_event));
        PERFORM pg_advisory_xact_lock_shared(partner_gate(asked_partner));
        PERFORM assert_restore_finished();
        SELECT event_status(e.stored_status, e.sales_start_at, e.starts_at, clock_timestamp()), g.access,
               p.status = 'suspended', e.max_seats_per_booking
          INTO status, access, is_suspended, max_seats
          FROM events e JOIN partners p ON p.id = asked_partner
          LEFT JOIN event_grants g ON g.event_id = e.id AND g.partner_id = p.id
         WHERE e.id = asked_event;
      END $$;

      -- When we gave out the cursor that a partner last sent: after a restore it shows until when the partner was served.
      -- Short lock: feed_reads has a row for each partner.
      ALTER TABLE feed_reads ADD COLUMN cursor_at timestamptz;
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE feed_reads DROP COLUMN cursor_at;
      CREATE OR REPLACE FUNCTION pass_sale_and_partner_gate(asked_event text, asked_partner integer,
        OUT status text, OUT access text, OUT is_suspended boolean, OUT max_seats integer) LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(sale_gate(asked_event));
        PERFORM pg_advisory_xact_lock_shared(partner_gate(asked_partner));
        SELECT event_status(e.stored_status, e.sales_start_at, e.starts_at, clock_timestamp()), g.access,
               p.status = 'suspended', e.max_seats_per_booking
          INTO status, access, is_suspended, max_seats
          FROM events e JOIN partners p ON p.id = asked_partner
          LEFT JOIN event_grants g ON g.event_id = e.id AND g.partner_id = p.id
         WHERE e.id = asked_event;
      END $$;
      CREATE OR REPLACE FUNCTION pass_sale_gate(asked text) RETURNS text LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(sale_gate(asked));
        RETURN (SELECT event_status(stored_status, sales_start_at, starts_at, clock_timestamp())
                  FROM events WHERE id = asked);
      END $$;
      DROP FUNCTION assert_restore_finished, is_restore_open;
      DROP TABLE selling_mark;
    `)
  }
}
