import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * What was entered of a memo or a payment never changes, and no row is deleted. A memo's decision is written once: number,
 * outcome, decided_by and decided_at may change while outcome is null.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      CREATE TRIGGER settlement_memos_are_frozen BEFORE UPDATE ON settlement_memos
        FOR EACH ROW WHEN (
          OLD.outcome IS NOT NULL
          OR (OLD.id, OLD.partner_id, OLD.kind, OLD.amount_tenge, OLD.reason, OLD.origin_statement_id, OLD.origin_line,
              OLD.origin_case_id, OLD.asked_by, OLD.asked_at, OLD.needs_second)
             IS DISTINCT FROM
             (NEW.id, NEW.partner_id, NEW.kind, NEW.amount_tenge, NEW.reason, NEW.origin_statement_id, NEW.origin_line,
              NEW.origin_case_id, NEW.asked_by, NEW.asked_at, NEW.needs_second))
        EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER settlement_memos_stay BEFORE DELETE ON settlement_memos FOR EACH ROW EXECUTE FUNCTION refuse_change();

      CREATE TRIGGER settlement_payments_are_frozen BEFORE UPDATE ON settlement_payments
        FOR EACH ROW WHEN (
          (OLD.id, OLD.partner_id, OLD.bank_reference, OLD.paid_on, OLD.direction, OLD.amount_tenge, OLD.recorded_by,
           OLD.recorded_at, OLD.approved_by, OLD.duplicate_of_id)
          IS DISTINCT FROM
          (NEW.id, NEW.partner_id, NEW.bank_reference, NEW.paid_on, NEW.direction, NEW.amount_tenge, NEW.recorded_by,
           NEW.recorded_at, NEW.approved_by, NEW.duplicate_of_id))
        EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER settlement_payments_stay BEFORE DELETE ON settlement_payments
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER settlement_payment_parts_stay BEFORE UPDATE OR DELETE ON settlement_payment_parts
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER settlement_memos_are_never_emptied BEFORE TRUNCATE ON settlement_memos
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER settlement_payments_are_never_emptied BEFORE TRUNCATE ON settlement_payments
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TRIGGER settlement_payments_are_never_emptied ON settlement_payments;
      DROP TRIGGER settlement_memos_are_never_emptied ON settlement_memos;
      DROP TRIGGER settlement_payment_parts_stay ON settlement_payment_parts;
      DROP TRIGGER settlement_payments_stay ON settlement_payments;
      DROP TRIGGER settlement_payments_are_frozen ON settlement_payments;
      DROP TRIGGER settlement_memos_stay ON settlement_memos;
      DROP TRIGGER settlement_memos_are_frozen ON settlement_memos;
    `)
  }
}
