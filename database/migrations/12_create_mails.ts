import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- People of a partner who get its documents.
      CREATE TABLE settlement_contacts (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        partner_id integer NOT NULL REFERENCES partners,
        email text NOT NULL CHECK (length(email) <= 254),
        language text NOT NULL CHECK (language IN ('ru', 'kk', 'en')),
        -- Whether each statement is sent there once it is issued.
        gets_statements boolean NOT NULL,
        added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        added_by text NOT NULL
      );
      CREATE UNIQUE INDEX settlement_contacts_address ON settlement_contacts (partner_id, lower(email));

      -- A report that is made and sent again and again, at an hour of the venues (UTC+5).
      CREATE TABLE report_schedules (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        partner_id integer NOT NULL REFERENCES partners,
        kind text NOT NULL CHECK (kind IN ('current_period', 'last_period', 'defects')),
        every text NOT NULL CHECK (every IN ('day', 'week', 'month')),
        -- Of the week, from Monday; of the month, where a shorter one ends earlier.
        day integer CHECK (day BETWEEN 1 AND CASE every WHEN 'week' THEN 7 ELSE 31 END),
        hour integer NOT NULL CHECK (hour BETWEEN 0 AND 23),
        language text NOT NULL CHECK (language IN ('ru', 'kk', 'en')),
        recipients text[] NOT NULL CHECK (cardinality(recipients) BETWEEN 1 AND 10),
        is_active boolean NOT NULL DEFAULT true,
        next_at timestamptz NOT NULL,
        last_at timestamptz,
        last_run_id integer REFERENCES settlement_runs,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        created_by text NOT NULL,
        version integer NOT NULL DEFAULT 1,
        CHECK ((every = 'day') = (day IS NULL))
      );
      CREATE INDEX report_schedules_due ON report_schedules (next_at) WHERE is_active;
      CREATE INDEX report_schedules_partner ON report_schedules (partner_id);

      -- E-mail to be sent, and what came of it: one row for each recipient, so that none is sent twice because of another.
      CREATE TABLE mails (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        -- The same for every attempt: a receiver that gets a mail twice can tell.
        message_id text NOT NULL UNIQUE,
        partner_id integer NOT NULL REFERENCES partners,
        purpose text NOT NULL CHECK (purpose IN ('statement', 'report')),
        statement_id integer REFERENCES settlement_statements,
        schedule_id integer REFERENCES report_schedules ON DELETE SET NULL,
        report_kind text,
        -- It waits until this one is over; its workbook is what is attached.
        run_id integer NOT NULL REFERENCES settlement_runs,
        recipient text NOT NULL CHECK (length(recipient) <= 254),
        language text NOT NULL CHECK (language IN ('ru', 'kk', 'en')),
        subject text,
        state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sending', 'sent', 'failed')),
        attempts integer NOT NULL DEFAULT 0,
        queued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        first_tried_at timestamptz,
        next_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        -- Who is at it, until when nobody else may be.
        claim uuid,
        lease_until timestamptz,
        -- Of the last attempt: its name, and what the server said.
        failure text,
        failure_words text,
        -- Hash of the file that was attached; null when there was none, or it was too large.
        attached_sha256 text,
        sent_at timestamptz,
        ended_at timestamptz,
        asked_by text NOT NULL,
        CHECK ((purpose = 'statement') = (statement_id IS NOT NULL)),
        CHECK ((purpose = 'report') = (report_kind IS NOT NULL)),
        CHECK ((state = 'sending') = (lease_until IS NOT NULL)),
        CHECK ((state IN ('sent', 'failed')) = (ended_at IS NOT NULL)),
        CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
        CHECK (state <> 'failed' OR failure IS NOT NULL)
      );
      CREATE INDEX mails_due ON mails (next_at, id) WHERE state IN ('queued', 'sending');
      CREATE INDEX mails_failed ON mails (ended_at) WHERE state = 'failed';
      CREATE INDEX mails_statement ON mails (statement_id, id) WHERE statement_id IS NOT NULL;
      CREATE INDEX mails_schedule ON mails (schedule_id, id) WHERE schedule_id IS NOT NULL;
    `)
  }

  async down() {
    this.schema.raw('DROP TABLE mails, report_schedules, settlement_contacts')
  }
}
