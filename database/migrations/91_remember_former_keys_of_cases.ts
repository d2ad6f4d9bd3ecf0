import { BaseSchema } from '@adonisjs/lucid/schema'

/** The orders that named a case before another part of it became all that is left: the journal has entries under them. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE settlement_cases ADD COLUMN former_keys text[] NOT NULL DEFAULT '{}'
    `)
  }

  async down() {
    this.schema.raw('ALTER TABLE settlement_cases DROP COLUMN former_keys')
  }
}
