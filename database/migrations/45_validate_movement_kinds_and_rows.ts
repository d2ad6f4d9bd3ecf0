import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * Reads through what was added without reading it: kinds of movements (25) and rows of registers (36). Each statement is a
 * transaction of its own. A domain is validated under a lock that keeps sales from writing movements: 0.2 s for a million of them.
 */
export default class extends BaseSchema {
  static override disableTransactions = true

  async up() {
    this.schema.raw(`
      DO $$
      BEGIN
        SET LOCAL lock_timeout = '3s';
        ALTER DOMAIN movement_kind VALIDATE CONSTRAINT movement_kind_check;
      END $$`)
    this.schema.raw(
      'ALTER TABLE partner_register_rows VALIDATE CONSTRAINT partner_register_rows_returned_tenge_check'
    )
  }

  async down() {}
}
