import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      CREATE TABLE partners (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        code text NOT NULL UNIQUE CHECK (code ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
        name text NOT NULL,
        status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
        requests_per_minute integer NOT NULL DEFAULT 100 CHECK (requests_per_minute > 0),
        requests_in_flight integer NOT NULL DEFAULT 20 CHECK (requests_in_flight > 0),
        pending_orders integer NOT NULL DEFAULT 50 CHECK (pending_orders > 0),
        -- A day at most: whatever looks for orders by the time of their confirm goes no further back.
        hold_seconds integer NOT NULL DEFAULT 180 CHECK (hold_seconds BETWEEN 1 AND 86400),
        payment_window_seconds integer NOT NULL DEFAULT 300 CHECK (payment_window_seconds BETWEEN 1 AND 86400),
        allowed_addresses text[] NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );

      CREATE TABLE partner_keys (
        api_key text PRIMARY KEY CHECK (api_key ~ '^pk_(sandbox|live)_[0-9A-Za-z]{24,}$'),
        partner_id integer NOT NULL REFERENCES partners,
        secret_encrypted text NOT NULL,
        expires_at timestamptz,
        revoked_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX partner_keys_partner ON partner_keys (partner_id);

      CREATE TABLE event_grants (
        partner_id integer NOT NULL REFERENCES partners,
        event_id text NOT NULL REFERENCES events,
        access text NOT NULL DEFAULT 'active' CHECK (access IN ('active', 'revoked')),
        change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (partner_id, event_id)
      );
      CREATE INDEX event_grants_event ON event_grants (event_id);
      CREATE INDEX event_grants_change_xid ON event_grants (partner_id, change_xid);
      CREATE TRIGGER event_grants_stamp_change BEFORE UPDATE ON event_grants
        FOR EACH ROW WHEN (OLD.access IS DISTINCT FROM NEW.access) EXECUTE FUNCTION stamp_change();

      -- A revoked grant stays as a row: the feed has to tell of it.
      -- What each partner has shown to know: the cursor that it last sent, and when.
      CREATE TABLE feed_reads (
        partner_id integer PRIMARY KEY REFERENCES partners,
        read_at timestamptz NOT NULL,
        acknowledged pg_snapshot NOT NULL,
        epoch text NOT NULL
      ) WITH (fillfactor = 50);

      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $$;
      CREATE TRIGGER event_grants_stay BEFORE DELETE ON event_grants
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TABLE feed_reads, event_grants, partner_keys, partners CASCADE;
      DROP FUNCTION refuse_change;
    `)
  }
}
