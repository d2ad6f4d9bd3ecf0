import { BaseSchema } from '@adonisjs/lucid/schema'

/** Payments, terms and memos above what one person may do in a day wait for a second person. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      -- What somebody asks for and a second person decides. Memos have a table of their own with the same columns.
      CREATE TABLE settlement_requests (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        partner_id integer NOT NULL REFERENCES partners,
        act text NOT NULL CHECK (act IN ('payment', 'terms', 'terms_withdrawal')),
        -- The input of the act, which is done once it is approved.
        input jsonb NOT NULL,
        amount_tenge bigint NOT NULL CHECK (amount_tenge >= 0),
        asked_by text NOT NULL,
        asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        outcome text CHECK (outcome IN ('approved', 'declined')),
        decided_by text,
        decided_at timestamptz,
        CHECK (num_nonnulls(outcome, decided_by, decided_at) IN (0, 3)),
        CHECK (outcome IS DISTINCT FROM 'approved' OR decided_by <> asked_by)
      );
      CREATE INDEX settlement_requests_open ON settlement_requests (partner_id, id) WHERE outcome IS NULL;
      CREATE TRIGGER settlement_requests_stay BEFORE DELETE ON settlement_requests
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER settlement_requests_are_frozen BEFORE UPDATE ON settlement_requests
        FOR EACH ROW WHEN (
          OLD.outcome IS NOT NULL
          OR (OLD.id, OLD.partner_id, OLD.act, OLD.input, OLD.amount_tenge, OLD.asked_by, OLD.asked_at)
             IS DISTINCT FROM
             (NEW.id, NEW.partner_id, NEW.act, NEW.input, NEW.amount_tenge, NEW.asked_by, NEW.asked_at))
        EXECUTE FUNCTION refuse_change();

      -- What people did without a second person: it adds up to a person's day.
      CREATE TABLE settlement_single_acts (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        person text NOT NULL,
        scope text NOT NULL CHECK (scope IN ('correction', 'payment')),
        amount_tenge bigint NOT NULL CHECK (amount_tenge >= 0),
        -- As movements name it: memo:7, payment:3; terms:5.
        subject text NOT NULL,
        acted_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX settlement_single_acts_person ON settlement_single_acts (person, scope, acted_at);
      CREATE TRIGGER settlement_single_acts_stay BEFORE UPDATE OR DELETE ON settlement_single_acts
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      -- Today's acts count from the first moment on.
      INSERT INTO settlement_single_acts (person, scope, amount_tenge, subject, acted_at)
      SELECT asked_by, 'correction', amount_tenge, 'memo:' || id, decided_at
        FROM settlement_memos WHERE outcome = 'approved' AND NOT needs_second AND decided_at > now() - interval '2 days'
      UNION ALL
      SELECT recorded_by, 'payment', amount_tenge, 'payment:' || id, recorded_at
        FROM settlement_payments WHERE recorded_at > now() - interval '2 days';

      ALTER TABLE settlement_payments ADD COLUMN approved_by text CHECK (approved_by <> recorded_by);
      ALTER TABLE settlement_terms ADD COLUMN approved_by text CHECK (approved_by <> set_by);
      -- Not validated: what is stored was allowed before.
      ALTER TABLE settlement_terms ADD CONSTRAINT settlement_terms_leave_something
        CHECK (commission_bp < 10000 OR vat_bp < 10000) NOT VALID;
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE settlement_terms DROP CONSTRAINT settlement_terms_leave_something, DROP COLUMN approved_by;
      ALTER TABLE settlement_payments DROP COLUMN approved_by;
      DROP TABLE settlement_single_acts, settlement_requests;
    `)
  }
}
