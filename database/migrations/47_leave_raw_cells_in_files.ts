import { BaseSchema } from '@adonisjs/lucid/schema'

/** Cells as they stood are in the stored file; nothing reads this copy. The column goes once no version writes it any more. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE partner_register_rows ALTER COLUMN raw DROP NOT NULL;
    `)
  }

  async down() {
    this.schema.raw(`
      UPDATE partner_register_rows SET raw = '[]' WHERE raw IS NULL;
      ALTER TABLE partner_register_rows ALTER COLUMN raw SET NOT NULL;
    `)
  }
}
