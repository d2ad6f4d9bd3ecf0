import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      -- What its source covered when the register was matched: what is missing from it means something only for that.
      ALTER TABLE partner_registers
        ADD COLUMN covers_sales boolean NOT NULL DEFAULT true,
        ADD COLUMN covers_refunds boolean NOT NULL DEFAULT true;
      UPDATE partner_registers r SET covers_sales = s.covers_sales, covers_refunds = s.covers_refunds
        FROM register_sources s WHERE s.id = r.source_id AND NOT (s.covers_sales AND s.covers_refunds);

      -- Rows that a person may reject; the other rows of their case are known by their ids.
      ALTER TABLE partner_register_case_rows ADD COLUMN is_suggested boolean NOT NULL DEFAULT false;
      ALTER TABLE partner_register_case_rows DISABLE TRIGGER partner_register_case_rows_stay;
      UPDATE partner_register_case_rows l SET is_suggested = true
        FROM partner_register_cases c WHERE c.id = l.case_id AND c.is_suggested;
      ALTER TABLE partner_register_case_rows ENABLE TRIGGER partner_register_case_rows_stay;
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE partner_register_case_rows DROP COLUMN is_suggested;
      ALTER TABLE partner_registers DROP COLUMN covers_sales, DROP COLUMN covers_refunds;
    `)
  }
}
