import { BaseSchema } from '@adonisjs/lucid/schema'

/** As the journal before it. In a transaction of its own: a confirm writes both tables, and must not wait crosswise. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      SELECT partition_by_month('confirm_attempts');
      DROP FUNCTION partition_by_month;
    `)
  }

  async down() {
    this.schema.raw(
      `DO $$ BEGIN RAISE 'partitioned confirm attempts do not become one table again'; END $$`
    )
  }
}
