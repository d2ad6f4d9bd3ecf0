import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * Fee rules that a person has accepted are of a source: a partner's bank and its shop charge different fees. Rules so far hold for
 * all sources that the partner has. The former release still reads and writes `partner_register_habits`; the table goes with a
 * later release, and mappings are read from the registers themselves.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE register_sources ADD COLUMN fee_rules jsonb NOT NULL DEFAULT '[]';
      UPDATE register_sources s SET fee_rules = h.fee_rules
        FROM partner_register_habits h
       WHERE h.partner_id = s.partner_id AND h.fee_rules <> '[]';
    `)
  }

  async down() {
    this.schema.raw('ALTER TABLE register_sources DROP COLUMN fee_rules')
  }
}
