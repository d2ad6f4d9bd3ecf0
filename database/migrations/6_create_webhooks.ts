import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- What partners are told of: the relay finds what was committed since it last looked, without reading the rest.
      CREATE INDEX journal_news ON journal (change_xid) WHERE name IN (
        'booking_expired', 'event_status_changed', 'event_rescheduled', 'event_edited', 'event_prices_set',
        'event_cancelled', 'grant_given', 'grant_revoked');

      CREATE TABLE webhook_endpoints (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        partner_id integer NOT NULL UNIQUE REFERENCES partners,
        url text NOT NULL,
        status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
        disabled_cause text CHECK (disabled_cause IN ('gone', 'failing', 'staff')),
        disabled_at timestamptz,
        failing_since timestamptz,
        told_failing_at timestamptz,
        last_success_at timestamptz,
        -- Attempts ever made here, by outcome.
        succeeded bigint NOT NULL DEFAULT 0,
        failed bigint NOT NULL DEFAULT 0,
        paused_until timestamptz,
        -- The round of sending that has the endpoint, and until when unless it takes it anew.
        round uuid,
        round_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CHECK ((round IS NULL) = (round_until IS NULL)),
        CHECK (num_nonnulls(disabled_cause, disabled_at) = CASE status WHEN 'disabled' THEN 2 ELSE 0 END)
      );

      -- What is sent follows from the journal's entry, which never changes; a ping has none.
      CREATE TABLE webhook_deliveries (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        webhook_id uuid NOT NULL DEFAULT gen_random_uuid(),
        endpoint_id integer NOT NULL REFERENCES webhook_endpoints,
        journal_id bigint REFERENCES journal,
        -- Deliveries of one subject go out one after the other.
        subject text NOT NULL,
        status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'held')),
        attempts integer NOT NULL DEFAULT 0,
        -- Attempts made before the last replay began a new series.
        attempts_before integer NOT NULL DEFAULT 0,
        next_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        locked_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        ended_at timestamptz,
        UNIQUE (endpoint_id, journal_id)
      ) WITH (fillfactor = 85);
      -- Only for those who name the second condition: who looks for the first of a subject must not take this index,
      -- which looks as good while the table is small.
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_at)
        WHERE status = 'pending' AND endpoint_id > 0;
      CREATE INDEX webhook_deliveries_in_line ON webhook_deliveries (endpoint_id, subject, id) WHERE status = 'pending';
      CREATE INDEX webhook_deliveries_set_aside ON webhook_deliveries (endpoint_id, status) WHERE status IN ('failed', 'held');
      CREATE INDEX webhook_deliveries_created ON webhook_deliveries USING brin (created_at) WITH (pages_per_range = 32);

      CREATE TABLE webhook_attempts (
        delivery_id bigint NOT NULL REFERENCES webhook_deliveries ON DELETE CASCADE,
        attempt integer NOT NULL,
        started_at timestamptz NOT NULL,
        duration_ms integer NOT NULL,
        http_status smallint,
        failure text,
        response text CHECK (octet_length(response) <= 4096),
        PRIMARY KEY (delivery_id, attempt)
      );

      -- One row: what the relay had seen when it last looked.
      CREATE TABLE webhook_relay (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        seen pg_snapshot NOT NULL,
        -- The cluster whose transaction ids these are, and the last entry of the journal that bears those of another.
        cluster bigint NOT NULL,
        foreign_until bigint NOT NULL DEFAULT 0,
        relayed_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      INSERT INTO webhook_relay (seen, cluster) SELECT pg_current_snapshot(), system_identifier FROM pg_control_system();
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TABLE webhook_relay, webhook_attempts, webhook_deliveries, webhook_endpoints;
      DROP INDEX journal_news;
    `)
  }
}
