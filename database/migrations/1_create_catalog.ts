import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- Domains where sales write: PostgreSQL reads a table's CHECKs anew in every statement that writes to it,
      -- a domain's once per connection (docs/performance.md).
      CREATE DOMAIN tenge AS bigint CHECK (VALUE >= 0);
      CREATE DOMAIN category_code AS text
        CHECK (VALUE IN ('standard', 'vip', 'fan', 'invitation', 'service'));

      CREATE TABLE venues (
        id text PRIMARY KEY CHECK (id ~ '^ven_[0-9a-z]{26}$'),
        name jsonb NOT NULL CHECK (name ->> 'ru' IS NOT NULL),
        utc_offset_minutes integer NOT NULL DEFAULT 300 CHECK (utc_offset_minutes BETWEEN -720 AND 840),
        created_at timestamptz NOT NULL DEFAULT now()
      );

      CREATE TABLE halls (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        venue_id text NOT NULL REFERENCES venues,
        name jsonb NOT NULL CHECK (name ->> 'ru' IS NOT NULL),
        plan_svg text,
        plan_digest text UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now(),
        CHECK ((plan_svg IS NULL) = (plan_digest IS NULL))
      );

      CREATE TABLE sectors (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        hall_id integer NOT NULL REFERENCES halls,
        public_id text NOT NULL CHECK (public_id ~ '^sector-'),
        name jsonb NOT NULL CHECK (name ->> 'ru' IS NOT NULL),
        position integer NOT NULL,
        UNIQUE (hall_id, public_id)
      );

      CREATE TABLE hall_rows (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        sector_id integer NOT NULL REFERENCES sectors,
        public_id text NOT NULL CHECK (public_id ~ '^row-'),
        label text NOT NULL,
        position integer NOT NULL,
        UNIQUE (sector_id, public_id)
      );

      CREATE TABLE hall_seats (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        hall_id integer NOT NULL REFERENCES halls,
        row_id integer NOT NULL REFERENCES hall_rows,
        space_id text NOT NULL CHECK (space_id ~ '^seat-'),
        label text NOT NULL,
        category_code category_code NOT NULL,
        position integer NOT NULL,
        UNIQUE (hall_id, space_id)
      );

      -- The clock closes and opens sales without writing a row, so a status is always read through here.
      CREATE FUNCTION event_status(stored text, sales_start_at timestamptz, starts_at timestamptz, at timestamptz)
      RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        CASE
          WHEN stored = 'cancelled' THEN 'cancelled'
          WHEN stored = 'sales_closed' OR starts_at <= at THEN 'sales_closed'
          WHEN stored = 'sales_scheduled' AND sales_start_at <= at THEN 'sales_open'
          ELSE stored
        END;

      CREATE TABLE events (
        id text PRIMARY KEY CHECK (id ~ '^evt_[0-9a-z]{26}$'),
        hall_id integer NOT NULL REFERENCES halls,
        venue_id text NOT NULL REFERENCES venues,
        title jsonb NOT NULL CHECK (title ->> 'ru' IS NOT NULL AND title ->> 'kk' IS NOT NULL AND title ->> 'en' IS NOT NULL),
        description jsonb NOT NULL CHECK (description ->> 'ru' IS NOT NULL),
        stored_status text NOT NULL DEFAULT 'sales_scheduled'
          CHECK (stored_status IN ('sales_scheduled', 'sales_open', 'sales_paused', 'sales_closed', 'cancelled')),
        event_type text CHECK (event_type IN
          ('concert', 'sport', 'theatre', 'exhibition', 'conference', 'festival', 'kids', 'other')),
        age_rating text CHECK (age_rating IN ('0+', '6+', '12+', '16+', '18+', '21+')),
        starts_at timestamptz NOT NULL,
        ends_at timestamptz NOT NULL,
        sales_start_at timestamptz,
        max_seats_per_booking integer NOT NULL DEFAULT 8 CHECK (max_seats_per_booking BETWEEN 1 AND 20),
        price_from_tenge tenge,
        cancelled_at timestamptz,
        cancellation_reason text,
        change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CHECK (ends_at > starts_at),
        CHECK ((stored_status = 'cancelled') = (cancelled_at IS NOT NULL))
      );
      CREATE INDEX events_change_xid ON events (change_xid);
      CREATE INDEX events_starts_at ON events (starts_at, id);

      CREATE TABLE event_prices (
        event_id text NOT NULL REFERENCES events,
        category_code category_code NOT NULL,
        category_name jsonb NOT NULL CHECK (category_name ->> 'ru' IS NOT NULL),
        price_tenge tenge,
        PRIMARY KEY (event_id, category_code)
      );

      CREATE TABLE event_keys (
        kid text PRIMARY KEY,
        event_id text NOT NULL UNIQUE REFERENCES events,
        private_key_encrypted text NOT NULL,
        public_jwk jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );

      -- Sales share the gate of an event; whoever changes what they rely on has it alone.
      CREATE FUNCTION sale_gate(event_id text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        hashtextextended(event_id, 1);
      -- Volatile PL/pgSQL: each of its statements sees what was committed before it, here before the turn came.
      CREATE FUNCTION pass_sale_gate(asked text) RETURNS text LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(sale_gate(asked));
        RETURN (SELECT event_status(stored_status, sales_start_at, starts_at, clock_timestamp())
                  FROM events WHERE id = asked);
      END $$;
      CREATE FUNCTION close_sale_gate(asked text) RETURNS void LANGUAGE sql RETURN
        pg_advisory_xact_lock(sale_gate(asked));

      -- A partner sees a change when the writing transaction commits, so the feed follows transaction ids.
      CREATE FUNCTION stamp_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.change_xid := pg_current_xact_id();
        RETURN NEW;
      END $$;
      CREATE TRIGGER events_stamp_change BEFORE UPDATE ON events
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION stamp_change();
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TABLE event_keys, event_prices, events, hall_seats, hall_rows, sectors, halls, venues CASCADE;
      DROP FUNCTION stamp_change, close_sale_gate, pass_sale_gate, sale_gate, event_status;
      DROP DOMAIN category_code, tenge;
    `)
  }
}
