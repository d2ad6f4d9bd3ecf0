import { BaseSchema } from '@adonisjs/lucid/schema'

/** Matches have no exposure of their own any more, and a fee rule explains nothing before a person accepts it. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      -- Processes of the former version still write the columns; nobody reads them.
      ALTER TABLE partner_register_cases
        ALTER COLUMN exposure_tenge SET DEFAULT 0,
        ALTER COLUMN exposure_party SET DEFAULT 'NONE';

      -- Rules that nobody has accepted were applied to them: they are matched again before they are confirmed.
      UPDATE partner_registers SET state = 'read', matched_at = NULL, totals = NULL, version = version + 1
       WHERE state = 'matched' AND fee_rules <> '[]';
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE partner_register_cases
        ALTER COLUMN exposure_tenge DROP DEFAULT,
        ALTER COLUMN exposure_party DROP DEFAULT
    `)
  }
}
