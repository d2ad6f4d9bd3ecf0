import { BaseSchema } from '@adonisjs/lucid/schema'

/** A payment or memo is reversed by a row of its own, the other way around; and the third form of a statement's hash. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE settlement_payments
        -- The payment that the bank took back with this one, and why.
        ADD COLUMN reverses_id integer UNIQUE REFERENCES settlement_payments,
        ADD COLUMN reason text,
        ADD CONSTRAINT settlement_payments_reverse_with_reason CHECK ((reverses_id IS NULL) = (reason IS NULL));
      ALTER TABLE settlement_memos ADD COLUMN reverses_id integer REFERENCES settlement_memos;
      CREATE UNIQUE INDEX settlement_memos_reversed_once ON settlement_memos (reverses_id)
        WHERE outcome IS DISTINCT FROM 'declined';

      CREATE FUNCTION check_payment_reversal() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT EXISTS (SELECT 1 FROM settlement_payments y
                        WHERE y.id = NEW.reverses_id AND y.reverses_id IS NULL AND y.partner_id = NEW.partner_id
                          AND y.amount_tenge = NEW.amount_tenge AND y.direction <> NEW.direction)
        THEN
          RAISE EXCEPTION 'payment % is not reversed by this row', NEW.reverses_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'settlement_payments_reverse_whole';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER settlement_payments_reverse_whole BEFORE INSERT ON settlement_payments
        FOR EACH ROW WHEN (NEW.reverses_id IS NOT NULL) EXECUTE FUNCTION check_payment_reversal();
      CREATE FUNCTION check_memo_reversal() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT EXISTS (SELECT 1 FROM settlement_memos memo
                        WHERE memo.id = NEW.reverses_id AND memo.reverses_id IS NULL AND memo.outcome = 'approved'
                          AND memo.partner_id = NEW.partner_id AND memo.amount_tenge = NEW.amount_tenge
                          AND NEW.kind = CASE memo.kind WHEN 'adj_credit' THEN 'adj_debit' ELSE 'adj_credit' END)
        THEN
          RAISE EXCEPTION 'memo % is not reversed by this row', NEW.reverses_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'settlement_memos_reverse_whole';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER settlement_memos_reverse_whole BEFORE INSERT ON settlement_memos
        FOR EACH ROW WHEN (NEW.reverses_id IS NOT NULL) EXECUTE FUNCTION check_memo_reversal();

      ALTER TABLE settlement_requests DROP CONSTRAINT settlement_requests_act_check;
      ALTER TABLE settlement_requests ADD CONSTRAINT settlement_requests_act_check
        CHECK (act IN ('payment', 'payment_reversal', 'terms', 'terms_withdrawal'));
      ALTER TABLE settlement_statements DROP CONSTRAINT settlement_statements_hash_version_check;
      ALTER TABLE settlement_statements ADD CONSTRAINT settlement_statements_hash_version_check CHECK (hash_version IN (1, 2, 3));
    `)
  }

  async down() {
    this.schema.raw(`
      -- Hash versions may still be 3: statements of the third form stay. Not validated: so do decided reversals.
      ALTER TABLE settlement_requests DROP CONSTRAINT settlement_requests_act_check;
      ALTER TABLE settlement_requests ADD CONSTRAINT settlement_requests_act_check
        CHECK (act IN ('payment', 'terms', 'terms_withdrawal')) NOT VALID;
      DROP TRIGGER settlement_memos_reverse_whole ON settlement_memos;
      DROP TRIGGER settlement_payments_reverse_whole ON settlement_payments;
      DROP FUNCTION check_memo_reversal, check_payment_reversal;
      ALTER TABLE settlement_memos DROP COLUMN reverses_id;
      ALTER TABLE settlement_payments DROP CONSTRAINT settlement_payments_reverse_with_reason,
        DROP COLUMN reason, DROP COLUMN reverses_id;
    `)
  }
}
