import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * A confirm attempt is evidence (docs/adr/0004-record-the-confirm-before-judging.md): what was sent never changes, and its answer
 * is written once. Only words about an erased buyer go.
 *
 *     amount_raw '24000'                    → '1'                      refused
 *     http_status NULL                      → 409                      the answer, written once
 *     http_status 409                       → 200                      refused
 *     method 'card of +7 701 555 01 42'     → 'card of [erased]'       once the buyer of the order was erased
 *
 * Months that are created later have the trigger from their table.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      CREATE FUNCTION refuse_attempt_change() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        texts text[] := ARRAY['amount_raw', 'currency', 'method'];
      BEGIN
        IF to_jsonb(NEW) - texts = to_jsonb(OLD) - texts
           AND (NEW.amount_raw IS NOT DISTINCT FROM OLD.amount_raw OR is_erasure(OLD.amount_raw, NEW.amount_raw))
           AND (NEW.currency IS NOT DISTINCT FROM OLD.currency OR is_erasure(OLD.currency, NEW.currency))
           AND (NEW.method IS NOT DISTINCT FROM OLD.method OR is_erasure(OLD.method, NEW.method))
           AND EXISTS (SELECT FROM orders WHERE id = OLD.order_id_sent AND buyer_erased_at IS NOT NULL) THEN
          RETURN NEW;
        END IF;
        RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $$;
      SET LOCAL lock_timeout = '3s';
      -- A sale writes the answer, once: the function is not called for it.
      CREATE TRIGGER confirm_attempts_are_evidence BEFORE UPDATE ON confirm_attempts
        FOR EACH ROW WHEN (
          (OLD.id, OLD.partner_id, OLD.order_id_sent, OLD.request_id, OLD.received_at, OLD.timestamp_sent, OLD.signature_valid,
           OLD.amount_raw, OLD.amount_tenge, OLD.paid_at_raw, OLD.paid_at, OLD.paid_at_precision, OLD.external_payment_id,
           OLD.currency, OLD.method)
          IS DISTINCT FROM
          (NEW.id, NEW.partner_id, NEW.order_id_sent, NEW.request_id, NEW.received_at, NEW.timestamp_sent, NEW.signature_valid,
           NEW.amount_raw, NEW.amount_tenge, NEW.paid_at_raw, NEW.paid_at, NEW.paid_at_precision, NEW.external_payment_id,
           NEW.currency, NEW.method)
          OR (OLD.answered_at IS NOT NULL
              AND (OLD.http_status, OLD.code, OLD.order_status, OLD.window_ends_at, OLD.answered_at, OLD.names_other_payment)
                  IS DISTINCT FROM
                  (NEW.http_status, NEW.code, NEW.order_status, NEW.window_ends_at, NEW.answered_at, NEW.names_other_payment)))
        EXECUTE FUNCTION refuse_attempt_change();
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TRIGGER confirm_attempts_are_evidence ON confirm_attempts;
      DROP FUNCTION refuse_attempt_change;
    `)
  }
}
