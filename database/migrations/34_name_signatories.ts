import { BaseSchema } from '@adonisjs/lucid/schema'

/** Who signs an act for the partner, and the place that stands above it. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE settlement_terms ADD COLUMN signatory text;
      ALTER TABLE settlement_issuers ADD COLUMN city text;
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE settlement_terms DROP COLUMN signatory;
      ALTER TABLE settlement_issuers DROP COLUMN city;
    `)
  }
}
