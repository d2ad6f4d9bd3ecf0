import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- Sales of a partner share its gate; whoever revokes a grant or suspends the partner has it alone.
      CREATE FUNCTION partner_gate(partner_id integer) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        hashtextextended(partner_id::text, 2);
      CREATE FUNCTION close_partner_gate(asked integer) RETURNS void LANGUAGE sql RETURN
        pg_advisory_xact_lock(partner_gate(asked));

      -- For a new sale: both gates, then all that the sale relies on, as it stands once both turns have come.
      CREATE FUNCTION pass_sale_and_partner_gate(asked_event text, asked_partner integer,
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

      -- One row that knows which transaction wrote it. A dump brings the row back in another transaction, so whoever compares
      -- made_in with xmin sees that this database was restored, into whichever cluster.
      CREATE TABLE restore_mark (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        made_in xid8 NOT NULL DEFAULT pg_current_xact_id()
      );
      -- A dump of an earlier release that came into another cluster: the relay has not noticed it yet.
      INSERT INTO restore_mark (made_in)
      SELECT CASE cluster WHEN (SELECT system_identifier FROM pg_control_system()) THEN pg_current_xact_id() ELSE '0' END
        FROM webhook_relay;
      ALTER TABLE webhook_relay DROP COLUMN cluster;
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE webhook_relay ADD cluster bigint NOT NULL DEFAULT 0;
      UPDATE webhook_relay SET cluster = (SELECT system_identifier FROM pg_control_system());
      ALTER TABLE webhook_relay ALTER cluster DROP DEFAULT;
      DROP TABLE restore_mark;
      DROP FUNCTION pass_sale_and_partner_gate, close_partner_gate, partner_gate;
    `)
  }
}
