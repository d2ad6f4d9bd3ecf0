import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      CREATE SEQUENCE order_numbers;
      CREATE SEQUENCE ticket_numbers;

      CREATE DOMAIN booking_id AS text CHECK (VALUE ~ '^bkg_[0-9a-z]{26}$');
      CREATE DOMAIN order_id AS text CHECK (VALUE ~ '^[A-Z][A-Z0-9]{1,9}-[0-9]{4}-[0-9]{6,}$');
      CREATE DOMAIN ticket_id AS text CHECK (VALUE ~ '^tkt_[0-9a-z]{26}$');
      CREATE DOMAIN ticket_number AS text CHECK (VALUE ~ '^[A-Z][A-Z0-9]{1,9}-TKT-[0-9]{6,}$');
      CREATE DOMAIN qr_token AS text CHECK (char_length(VALUE) BETWEEN 530 AND 560);
      -- The partner's own name for its booking or order.
      CREATE DOMAIN partner_reference AS text CHECK (char_length(VALUE) BETWEEN 1 AND 64);
      CREATE DOMAIN booking_status AS text CHECK (VALUE IN ('active', 'expired', 'converted'));
      CREATE DOMAIN order_status AS text
        CHECK (VALUE IN ('pending', 'paid', 'cancelled', 'expired', 'refunded', 'partially_refunded'));
      CREATE DOMAIN ticket_status AS text CHECK (VALUE IN ('active', 'used', 'void', 'expired'));
      CREATE DOMAIN currency AS text CHECK (VALUE = 'KZT');
      CREATE DOMAIN void_cause AS text CHECK (VALUE IN ('refund', 'event_cancelled', 'platform'));
      CREATE DOMAIN time_precision AS text CHECK (VALUE IN ('day', 'minute', 'second', 'subsecond'));
      CREATE DOMAIN duration_seconds AS integer CHECK (VALUE > 0);
      CREATE DOMAIN buyer AS jsonb CHECK (VALUE ->> 'email' IS NOT NULL);

      -- Digits alone, as +7 701 … and 8 (701) … are the same phone.
      CREATE FUNCTION buyer_phone(customer jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        nullif(regexp_replace(regexp_replace(customer ->> 'phone', '[^0-9]', '', 'g'), '^8(?=[0-9]{10}$)', '7'), '');

      CREATE TABLE bookings (
        id booking_id PRIMARY KEY,
        partner_id integer NOT NULL,
        partner_booking_id partner_reference NOT NULL,
        event_id text NOT NULL,
        stored_status booking_status NOT NULL DEFAULT 'active',
        customer jsonb,
        total_tenge tenge NOT NULL,
        ttl_seconds duration_seconds NOT NULL,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        order_id text,
        UNIQUE (partner_id, partner_booking_id),
        -- Each row refers to the one before it by all that they share, so that they can't disagree
        -- and only a booking locks what every sale of an event has in common.
        FOREIGN KEY (partner_id, event_id) REFERENCES event_grants (partner_id, event_id),
        UNIQUE (event_id, partner_id, id),
        CHECK ((stored_status = 'converted') = (order_id IS NOT NULL))
      ) WITH (fillfactor = 85);
      CREATE INDEX bookings_due ON bookings (expires_at) WHERE stored_status = 'active';

      CREATE TABLE booking_seats (
        booking_id text NOT NULL REFERENCES bookings,
        position smallint NOT NULL,
        event_seat_id bigint NOT NULL REFERENCES event_seats,
        space_id text NOT NULL,
        category_code category_code NOT NULL,
        price_tenge tenge NOT NULL,
        PRIMARY KEY (booking_id, position),
        UNIQUE (booking_id, event_seat_id)
      );

      -- Expiry is a reading of the clock: the sweep that stores it may come later.
      CREATE FUNCTION order_status_at(at timestamptz, stored text, window_ends_at timestamptz)
      RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        CASE WHEN stored = 'pending' AND window_ends_at <= at THEN 'expired' ELSE stored END;

      CREATE TABLE orders (
        id order_id PRIMARY KEY,
        partner_id integer NOT NULL,
        partner_order_id partner_reference NOT NULL,
        booking_id text NOT NULL UNIQUE,
        event_id text NOT NULL,
        stored_status order_status NOT NULL DEFAULT 'pending',
        customer buyer NOT NULL,
        total_tenge tenge NOT NULL,
        created_at timestamptz NOT NULL,
        -- Kept for ever, although the API shows null once paid: reconciliation judges by it.
        window_ends_at timestamptz NOT NULL,
        confirmed_at timestamptz,
        cancelled_at timestamptz,
        payment_amount_tenge bigint,
        payment_paid_at_raw text,
        payment_paid_at timestamptz,
        payment_external_id text,
        payment_currency currency,
        payment_method text,
        UNIQUE (partner_id, partner_order_id),
        FOREIGN KEY (event_id, partner_id, booking_id) REFERENCES bookings (event_id, partner_id, id),
        UNIQUE (event_id, id),
        CHECK ((confirmed_at IS NOT NULL) = (stored_status IN ('paid', 'refunded', 'partially_refunded'))),
        CHECK (confirmed_at IS NULL OR payment_amount_tenge = total_tenge),
        CHECK ((stored_status = 'cancelled') = (cancelled_at IS NOT NULL))
      ) WITH (fillfactor = 85);
      CREATE INDEX orders_pending_of_partner ON orders (partner_id, window_ends_at) WHERE stored_status = 'pending';
      CREATE INDEX orders_due ON orders (window_ends_at) WHERE stored_status = 'pending';
      CREATE INDEX orders_created_at ON orders (created_at, id);
      -- The rarer ends of an order, for lists; the sale itself never writes here.
      CREATE INDEX orders_ended ON orders (stored_status, created_at, id) WHERE stored_status NOT IN ('pending', 'paid');
      -- What staff search by.
      CREATE INDEX orders_buyer_email ON orders (lower(customer ->> 'email') COLLATE "C");
      CREATE INDEX orders_buyer_phone ON orders (buyer_phone(customer)) WHERE buyer_phone(customer) IS NOT NULL;
      CREATE INDEX orders_payment ON orders (payment_external_id) WHERE payment_external_id IS NOT NULL;

      ALTER TABLE bookings ADD FOREIGN KEY (order_id) REFERENCES orders DEFERRABLE INITIALLY DEFERRED;

      CREATE TABLE tickets (
        id ticket_id PRIMARY KEY,
        number ticket_number NOT NULL UNIQUE,
        order_id text NOT NULL,
        event_id text NOT NULL,
        event_seat_id bigint NOT NULL REFERENCES event_seats,
        position smallint NOT NULL,
        status ticket_status NOT NULL DEFAULT 'active',
        price_tenge tenge NOT NULL,
        qr_token qr_token NOT NULL,
        issued_at timestamptz NOT NULL DEFAULT now(),
        used_at timestamptz,
        used_gate text,
        void_cause void_cause,
        void_reason text,
        voided_at timestamptz,
        voided_by text,
        UNIQUE (order_id, event_seat_id),
        FOREIGN KEY (event_id, order_id) REFERENCES orders (event_id, id),
        CHECK (num_nonnulls(void_cause, voided_at, voided_by) = CASE status WHEN 'void' THEN 3 ELSE 0 END),
        CHECK (status <> 'used' OR used_at IS NOT NULL)
      ) WITH (fillfactor = 85);
      -- The last line of defence: PostgreSQL itself refuses a second live ticket for a seat.
      CREATE UNIQUE INDEX one_live_ticket ON tickets (event_seat_id) WHERE status IN ('active', 'used');
      CREATE INDEX tickets_live_of_event ON tickets (event_id) WHERE status = 'active';
      -- For the gate; a sale writes nothing to it.
      CREATE INDEX tickets_settled_of_event ON tickets (event_id, status) WHERE status <> 'active';

      CREATE FUNCTION keep_void() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'ticket % is void for ever', OLD.id USING ERRCODE = 'restrict_violation';
      END $$;
      CREATE TRIGGER tickets_keep_void BEFORE UPDATE OF status ON tickets
        FOR EACH ROW WHEN (OLD.status = 'void' AND NEW.status <> 'void') EXECUTE FUNCTION keep_void();

      -- Where two people are needed to cancel an event: what the first has asked for.
      CREATE TABLE cancellation_requests (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_id text NOT NULL REFERENCES events,
        reason text NOT NULL,
        asked_by text NOT NULL,
        asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        lapses_at timestamptz NOT NULL,
        outcome text CHECK (outcome IN ('approved', 'declined', 'lapsed', 'overtaken')),
        ended_by text,
        ended_at timestamptz,
        CHECK (num_nonnulls(outcome, ended_by, ended_at) IN (0, 3)),
        CHECK (outcome <> 'approved' OR ended_by <> asked_by)
      );
      CREATE UNIQUE INDEX one_open_cancellation_request ON cancellation_requests (event_id) WHERE outcome IS NULL;

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
        paid_at_precision time_precision,
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
      -- What staff search by; an accepted attempt is found by the journal, and costs nothing here.
      CREATE INDEX confirm_attempts_refused_request ON confirm_attempts USING hash (request_id) WHERE http_status <> 200;
      CREATE TRIGGER confirm_attempts_stay BEFORE DELETE ON confirm_attempts
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TABLE confirm_attempts, cancellation_requests, tickets, booking_seats, bookings, orders CASCADE;
      DROP SEQUENCE order_numbers, ticket_numbers;
      DROP FUNCTION keep_void, buyer_phone, order_status_at;
      DROP DOMAIN booking_id, order_id, ticket_id, ticket_number, qr_token, partner_reference, booking_status,
        order_status, ticket_status, currency, void_cause, time_precision,
        duration_seconds, buyer;
    `)
  }
}
