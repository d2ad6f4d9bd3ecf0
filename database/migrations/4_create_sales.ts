import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      CREATE SEQUENCE order_numbers;
      CREATE SEQUENCE ticket_numbers;

      CREATE TABLE bookings (
        id text PRIMARY KEY CHECK (id ~ '^bkg_[0-9a-z]{26}$'),
        partner_id integer NOT NULL REFERENCES partners,
        partner_booking_id text NOT NULL CHECK (char_length(partner_booking_id) BETWEEN 1 AND 64),
        event_id text NOT NULL REFERENCES events,
        stored_status text NOT NULL DEFAULT 'active'
          CHECK (stored_status IN ('active', 'expired', 'converted')),
        customer jsonb,
        total_tenge bigint NOT NULL CHECK (total_tenge >= 0),
        ttl_seconds integer NOT NULL CHECK (ttl_seconds > 0),
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        order_id text,
        UNIQUE (partner_id, partner_booking_id),
        CHECK ((stored_status = 'converted') = (order_id IS NOT NULL))
      ) WITH (fillfactor = 85);
      CREATE INDEX bookings_due ON bookings (expires_at) WHERE stored_status = 'active';
      CREATE INDEX bookings_active_of_event ON bookings (event_id) WHERE stored_status = 'active';

      CREATE TABLE booking_seats (
        booking_id text NOT NULL REFERENCES bookings,
        position smallint NOT NULL,
        event_seat_id bigint NOT NULL REFERENCES event_seats,
        space_id text NOT NULL,
        category_code text NOT NULL,
        price_tenge bigint NOT NULL CHECK (price_tenge >= 0),
        PRIMARY KEY (booking_id, position),
        UNIQUE (booking_id, event_seat_id)
      );

      CREATE TABLE orders (
        id text PRIMARY KEY CHECK (id ~ '^[A-Z][A-Z0-9]{1,9}-[0-9]{4}-[0-9]{6,}$'),
        partner_id integer NOT NULL REFERENCES partners,
        partner_order_id text NOT NULL CHECK (char_length(partner_order_id) BETWEEN 1 AND 64),
        booking_id text NOT NULL UNIQUE REFERENCES bookings,
        event_id text NOT NULL REFERENCES events,
        stored_status text NOT NULL DEFAULT 'pending' CHECK (stored_status IN
          ('pending', 'paid', 'cancelled', 'expired', 'refunded', 'partially_refunded')),
        customer jsonb NOT NULL CHECK (customer ->> 'email' IS NOT NULL),
        total_tenge bigint NOT NULL CHECK (total_tenge >= 0),
        created_at timestamptz NOT NULL,
        -- Kept for ever, although the API shows null once paid: reconciliation judges by it.
        window_ends_at timestamptz NOT NULL,
        confirmed_at timestamptz,
        cancelled_at timestamptz,
        payment_amount_tenge bigint,
        payment_paid_at_raw text,
        payment_paid_at timestamptz,
        payment_external_id text,
        payment_currency text CHECK (payment_currency = 'KZT'),
        payment_method text,
        UNIQUE (partner_id, partner_order_id),
        CHECK ((confirmed_at IS NOT NULL) = (stored_status IN ('paid', 'refunded', 'partially_refunded'))),
        CHECK (confirmed_at IS NULL OR payment_amount_tenge = total_tenge),
        CHECK ((stored_status = 'cancelled') = (cancelled_at IS NOT NULL))
      ) WITH (fillfactor = 85);
      CREATE INDEX orders_pending_of_partner ON orders (partner_id, window_ends_at) WHERE stored_status = 'pending';
      CREATE INDEX orders_due ON orders (window_ends_at) WHERE stored_status = 'pending';
      CREATE INDEX orders_of_event ON orders (event_id);
      CREATE INDEX orders_created_at ON orders (created_at);

      ALTER TABLE bookings ADD FOREIGN KEY (order_id) REFERENCES orders DEFERRABLE INITIALLY DEFERRED;

      CREATE TABLE tickets (
        id text PRIMARY KEY CHECK (id ~ '^tkt_[0-9a-z]{26}$'),
        number text NOT NULL UNIQUE CHECK (number ~ '^[A-Z][A-Z0-9]{1,9}-TKT-[0-9]{6,}$'),
        order_id text NOT NULL REFERENCES orders,
        event_id text NOT NULL REFERENCES events,
        event_seat_id bigint NOT NULL REFERENCES event_seats,
        position smallint NOT NULL,
        status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'used', 'void', 'expired')),
        price_tenge bigint NOT NULL CHECK (price_tenge >= 0),
        qr_token text NOT NULL CHECK (char_length(qr_token) BETWEEN 530 AND 560),
        issued_at timestamptz NOT NULL DEFAULT now(),
        used_at timestamptz,
        used_gate text,
        void_cause text CHECK (void_cause IN ('refund', 'event_cancelled', 'platform')),
        void_reason text,
        voided_at timestamptz,
        voided_by text,
        UNIQUE (order_id, event_seat_id),
        CHECK ((status = 'void') = (void_cause IS NOT NULL)),
        CHECK ((void_cause IS NULL) = (voided_at IS NULL)),
        CHECK ((void_cause IS NULL) = (voided_by IS NULL)),
        CHECK (status <> 'used' OR used_at IS NOT NULL)
      ) WITH (fillfactor = 85);
      -- The last line of defence: PostgreSQL itself refuses a second live ticket for a seat.
      CREATE UNIQUE INDEX one_live_ticket ON tickets (event_seat_id) WHERE status IN ('active', 'used');
      CREATE INDEX tickets_of_event ON tickets (event_id);

      CREATE FUNCTION keep_void() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'ticket % is void for ever', OLD.id USING ERRCODE = 'restrict_violation';
      END $$;
      CREATE TRIGGER tickets_keep_void BEFORE UPDATE OF status ON tickets
        FOR EACH ROW WHEN (OLD.status = 'void' AND NEW.status <> 'void') EXECUTE FUNCTION keep_void();

      -- Evidence for reconciliation: a refused confirm changes no order, so it needs a row of its own.
      CREATE TABLE confirm_attempts (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        partner_id integer NOT NULL REFERENCES partners,
        order_id_sent text NOT NULL,
        request_id uuid NOT NULL,
        received_at timestamptz NOT NULL,
        timestamp_sent text,
        signature_valid boolean NOT NULL,
        amount_raw text,
        amount_tenge bigint,
        paid_at_raw text,
        paid_at timestamptz,
        paid_at_precision text CHECK (paid_at_precision IN ('day', 'minute', 'second', 'subsecond')),
        external_payment_id text,
        currency text,
        method text,
        http_status smallint,
        code text,
        order_status text,
        window_ends_at timestamptz,
        answered_at timestamptz
      ) WITH (fillfactor = 85);
      CREATE INDEX confirm_attempts_order ON confirm_attempts (order_id_sent);
      CREATE INDEX confirm_attempts_partner ON confirm_attempts (partner_id, received_at);
      CREATE TRIGGER confirm_attempts_stay BEFORE DELETE ON confirm_attempts
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TABLE confirm_attempts, tickets, booking_seats, bookings, orders CASCADE;
      DROP SEQUENCE order_numbers, ticket_numbers;
      DROP FUNCTION keep_void;
    `)
  }
}
