import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      CREATE DOMAIN severity AS text CHECK (VALUE IN ('BLOCKER', 'HIGH', 'MEDIUM', 'LOW', 'INFO'));
      CREATE DOMAIN exposure_party AS text CHECK (VALUE IN ('BUYER', 'PLATFORM', 'PARTNER', 'NONE'));
      CREATE DOMAIN fault AS text CHECK (VALUE IN ('PARTNER', 'PLATFORM', 'NETWORK', 'UNKNOWN'));

      -- Orders and payments that belong together, and what the rules say of them: found anew at any time, never lost.
      CREATE TABLE settlement_cases (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        partner_id integer NOT NULL REFERENCES partners,
        -- The first of its orders: a case that grows stays the same case.
        key text NOT NULL,
        order_ids text[] NOT NULL,
        payment_ids text[] NOT NULL,
        severity severity NOT NULL,
        exposure_tenge tenge NOT NULL,
        exposure_party exposure_party NOT NULL,
        fault fault NOT NULL,
        chain text[] NOT NULL,
        rule_set_version integer NOT NULL,
        occurred_at timestamptz NOT NULL,
        found_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        -- Since when the rules no longer find it: it was part of another one, or came right.
        gone_at timestamptz,
        checked_at timestamptz NOT NULL,
        state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'in_work', 'with_partner', 'resolved', 'dismissed')),
        owner_id integer REFERENCES staff,
        due_on date,
        resolution text,
        state_at timestamptz,
        state_by text,
        version integer NOT NULL DEFAULT 1,
        UNIQUE (partner_id, key),
        CHECK ((exposure_tenge = 0) = (exposure_party = 'NONE')),
        CHECK (state NOT IN ('resolved', 'dismissed') OR resolution IS NOT NULL)
      );
      CREATE INDEX settlement_cases_partner ON settlement_cases (partner_id, occurred_at, id);
      CREATE INDEX settlement_cases_time ON settlement_cases (occurred_at, id);
      -- The queue: what still wants somebody, among all that is over.
      CREATE INDEX settlement_cases_queue ON settlement_cases (occurred_at, id)
        WHERE gone_at IS NULL AND state IN ('open', 'in_work', 'with_partner');

      CREATE TABLE settlement_defects (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        case_id integer NOT NULL REFERENCES settlement_cases,
        code text NOT NULL,
        subclass text,
        severity severity NOT NULL,
        order_id text NOT NULL,
        payment_id text,
        is_strict_breach boolean NOT NULL,
        exposure_tenge tenge NOT NULL,
        exposure_party exposure_party NOT NULL,
        fault fault NOT NULL,
        deviation_ms bigint,
        hint text,
        evidence text[] NOT NULL,
        found_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        gone_at timestamptz,
        UNIQUE (case_id, code, order_id)
      );
      CREATE INDEX settlement_defects_order ON settlement_defects (order_id);

      -- What people write on a case.
      CREATE TABLE settlement_case_notes (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        case_id integer NOT NULL REFERENCES settlement_cases,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        by text NOT NULL,
        text text NOT NULL
      );
      CREATE INDEX settlement_case_notes_case ON settlement_case_notes (case_id, id);

      -- What the partner has answered in a workbook; the newest counts.
      CREATE TABLE settlement_answers (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        defect_id integer NOT NULL REFERENCES settlement_defects,
        answer text NOT NULL CHECK (answer IN ('accepted', 'disputed', 'returned')),
        refund_on date,
        refund_number text,
        comment text,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        -- Who has brought it in.
        by text NOT NULL,
        CHECK (answer <> 'returned' OR num_nonnulls(refund_on, refund_number) > 0)
      );
      CREATE INDEX settlement_answers_defect ON settlement_answers (defect_id, id);
      CREATE TRIGGER settlement_answers_stay BEFORE UPDATE OR DELETE ON settlement_answers
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TABLE settlement_answers, settlement_case_notes, settlement_defects, settlement_cases;
      DROP DOMAIN fault, exposure_party, severity;
    `)
  }
}
