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
        -- What was at risk when somebody ended it, and whose: only more than that, or another's, opens it again.
        settled_tenge tenge,
        settled_party text,
        settled_payment_ids text[],
        -- The rules were wrong: what nobody has to settle tells how far each rule can be trusted.
        is_false_positive boolean NOT NULL DEFAULT false,
        state_at timestamptz,
        state_by text,
        version integer NOT NULL DEFAULT 1,
        UNIQUE (partner_id, key),
        CHECK ((exposure_tenge = 0) = (exposure_party = 'NONE')),
        CHECK (state NOT IN ('resolved', 'dismissed') OR resolution IS NOT NULL),
        CHECK (num_nonnulls(settled_tenge, settled_party, settled_payment_ids) = CASE WHEN state IN ('resolved', 'dismissed') THEN 3 ELSE 0 END),
        CHECK (state = 'dismissed' OR NOT is_false_positive)
      );
      CREATE INDEX settlement_cases_partner ON settlement_cases (partner_id, occurred_at, id);
      -- Which case an order is in, also one of long ago.
      CREATE INDEX settlement_cases_orders ON settlement_cases USING gin (order_ids);
      CREATE INDEX settlement_cases_time ON settlement_cases (occurred_at, id);
      -- The queue: what still wants somebody, among all that is over.
      CREATE INDEX settlement_cases_queue ON settlement_cases (occurred_at, id)
        WHERE gone_at IS NULL AND state IN ('open', 'in_work', 'with_partner');

      CREATE TABLE settlement_defects (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        case_id integer NOT NULL REFERENCES settlement_cases,
        code text NOT NULL,
        subclass text,
        -- The money has bought something after all.
        is_recovered boolean NOT NULL DEFAULT false,
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
      -- A penalty by the terms; asked for once a case, and once more only after it was declined.
      ALTER TABLE settlement_memos ADD FOREIGN KEY (origin_case_id) REFERENCES settlement_cases;
      CREATE INDEX settlement_memos_case ON settlement_memos (origin_case_id) WHERE origin_case_id IS NOT NULL;
      CREATE UNIQUE INDEX one_penalty_of_a_case ON settlement_memos (origin_case_id)
        WHERE kind = 'penalty' AND outcome IS DISTINCT FROM 'declined';

      -- Which rules were put in force when; the newest row counts.
      CREATE TABLE settlement_rule_sets (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        version integer NOT NULL CHECK (version > 0),
        activated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        -- Null for the set that the product came with.
        activated_by text,
        reason text
      );
      INSERT INTO settlement_rule_sets (version) VALUES (1);
      CREATE TRIGGER settlement_rule_sets_stay BEFORE UPDATE OR DELETE ON settlement_rule_sets
        FOR EACH ROW EXECUTE FUNCTION refuse_change();

      -- A ticket that a guest had got in with, and whose money was asked back: the refusal itself changes nothing.
      CREATE TABLE refused_refunds (
        -- No references: they would lock the ticket before its order, and whoever refunds locks the order first.
        ticket_id text PRIMARY KEY,
        partner_id integer NOT NULL,
        order_id text NOT NULL,
        request_id uuid,
        asked_by text NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX refused_refunds_partner ON refused_refunds (partner_id, at);

      -- How a partner's requests were answered, by the day of the venues; an empty code counts all of them.
      CREATE TABLE partner_answers (
        partner_id integer NOT NULL REFERENCES partners,
        day date NOT NULL,
        code text NOT NULL,
        count bigint NOT NULL,
        PRIMARY KEY (partner_id, day, code)
      ) WITH (fillfactor = 70);

      -- More than five minutes without a reading of the feed.
      CREATE TABLE feed_gaps (
        partner_id integer NOT NULL REFERENCES partners,
        from_at timestamptz NOT NULL,
        to_at timestamptz NOT NULL,
        PRIMARY KEY (partner_id, from_at)
      );

      -- What the search for defects has counted of each day whose orders it has read.
      CREATE TABLE settlement_partner_days (
        partner_id integer NOT NULL REFERENCES partners,
        day date NOT NULL,
        tally jsonb NOT NULL,
        PRIMARY KEY (partner_id, day)
      );

      -- How a partner conducts itself in a month: shares, medians and verdicts, counted anew with every search.
      CREATE TABLE settlement_partner_findings (
        partner_id integer NOT NULL REFERENCES partners,
        month date NOT NULL,
        code text NOT NULL,
        value double precision NOT NULL,
        sample integer NOT NULL,
        lower_bound double precision NOT NULL,
        own_median double precision,
        all_median double precision,
        verdict text NOT NULL CHECK (verdict IN ('few', 'fine', 'unusual', 'high')),
        rule_set_version integer NOT NULL,
        checked_at timestamptz NOT NULL,
        PRIMARY KEY (partner_id, month, code)
      );
      CREATE INDEX settlement_partner_findings_month ON settlement_partner_findings (month, code);
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TABLE settlement_partner_findings, settlement_partner_days, feed_gaps, partner_answers, refused_refunds,
        settlement_rule_sets, settlement_answers;
      DROP TABLE settlement_case_notes, settlement_defects, settlement_cases CASCADE;
      DROP DOMAIN fault, exposure_party, severity;
    `)
  }
}
