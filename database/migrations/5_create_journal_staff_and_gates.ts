import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      CREATE DOMAIN actor_kind AS text
        CHECK (VALUE IN ('partner', 'staff', 'clock', 'gate', 'storefront', 'console'));

      -- Written in the transaction of the change it tells of; nothing edits it afterwards.
      CREATE TABLE journal (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        name text NOT NULL,
        actor_kind actor_kind NOT NULL,
        actor text NOT NULL,
        request_id uuid,
        partner_id integer,
        event_id text,
        booking_id text,
        order_id text,
        change jsonb NOT NULL DEFAULT '{}',
        change_xid xid8 NOT NULL DEFAULT pg_current_xact_id()
      );
      CREATE INDEX journal_event ON journal (event_id, id) WHERE event_id IS NOT NULL;
      -- What happened to an event itself: a page must not read through all its sales for it.
      CREATE INDEX journal_event_alone ON journal (event_id, id)
        WHERE event_id IS NOT NULL AND booking_id IS NULL AND order_id IS NULL;
      CREATE INDEX journal_order ON journal (order_id, id) WHERE order_id IS NOT NULL;
      CREATE INDEX journal_booking ON journal (booking_id) WHERE order_id IS NULL AND booking_id IS NOT NULL;
      CREATE INDEX journal_request ON journal USING hash (request_id) WHERE request_id IS NOT NULL;
      CREATE INDEX journal_partner ON journal (partner_id, id) WHERE partner_id IS NOT NULL;
      CREATE TRIGGER journal_is_append_only BEFORE UPDATE OR DELETE ON journal
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER journal_is_never_emptied BEFORE TRUNCATE ON journal
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

      CREATE TABLE staff (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        email text NOT NULL,
        full_name text NOT NULL,
        role text NOT NULL CHECK (role IN ('admin', 'operations', 'support', 'finance', 'gate', 'auditor')),
        password text NOT NULL,
        language text NOT NULL DEFAULT 'ru' CHECK (language IN ('ru', 'kk', 'en')),
        password_set_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        -- Somebody else knows it: the person has to choose one of their own first.
        password_is_temporary boolean NOT NULL DEFAULT false,
        totp_secret_encrypted text,
        totp_set_at timestamptz,
        -- The 30-second step of the last code that was used: no code counts twice.
        totp_last_step bigint,
        disabled_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CHECK ((totp_secret_encrypted IS NULL) = (totp_set_at IS NULL))
      );
      CREATE UNIQUE INDEX staff_email ON staff (lower(email));

      CREATE TABLE staff_recovery_codes (
        staff_id integer NOT NULL REFERENCES staff,
        digest text NOT NULL,
        used_at timestamptz,
        PRIMARY KEY (staff_id, digest)
      );

      CREATE TABLE staff_sessions (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        staff_id integer NOT NULL REFERENCES staff,
        address text NOT NULL,
        browser text NOT NULL,
        began_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        ended_at timestamptz
      );
      CREATE INDEX staff_sessions_person ON staff_sessions (staff_id, last_seen_at);

      CREATE TABLE gate_devices (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE,
        key_digest text NOT NULL UNIQUE,
        revoked_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now()
      );

      CREATE TABLE ticket_scans (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        gate_device_id integer REFERENCES gate_devices,
        staff_id integer REFERENCES staff,
        event_id text NOT NULL REFERENCES events,
        ticket_id text REFERENCES tickets,
        verdict text NOT NULL,
        -- What a refusal told.
        details jsonb,
        -- A phone's own name for its scan, so that one sent twice counts once.
        phone_scan_id uuid UNIQUE,
        -- When a phone without network judged by itself, by its clock; scanned_at is then when we were told.
        offline_at timestamptz,
        scanned_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CHECK (num_nonnulls(gate_device_id, staff_id) = 1),
        CHECK (staff_id IS NULL OR phone_scan_id IS NOT NULL)
      );
      -- Phones at the gate ask whom the other gates have let in since.
      CREATE INDEX ticket_scans_admitted ON ticket_scans (event_id, scanned_at) WHERE verdict = 'admitted';
      CREATE INDEX ticket_scans_device ON ticket_scans (gate_device_id, id) WHERE gate_device_id IS NOT NULL;
      -- Settlement asks for guests that a phone without network has let in with a void ticket.
      CREATE INDEX ticket_scans_unseen ON ticket_scans (scanned_at) WHERE verdict = 'TICKET_VOID' AND offline_at IS NOT NULL;
      CREATE INDEX ticket_scans_ticket ON ticket_scans (ticket_id) WHERE ticket_id IS NOT NULL;

      -- Somebody opened the PDF of a ticket by its link: once a minute is told, not every read of a viewer.
      CREATE TABLE ticket_openings (
        ticket_id text NOT NULL REFERENCES tickets,
        minute timestamptz NOT NULL,
        opened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (ticket_id, minute)
      );
      CREATE INDEX ticket_openings_opened ON ticket_openings USING brin (opened_at) WITH (pages_per_range = 32);
    `)
  }

  async down() {
    this.schema.raw(
      'DROP TABLE ticket_openings, ticket_scans, gate_devices, staff_sessions, staff_recovery_codes, staff, journal CASCADE; DROP DOMAIN actor_kind'
    )
  }
}
