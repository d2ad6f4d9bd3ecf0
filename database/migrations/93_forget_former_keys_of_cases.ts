import { BaseSchema } from '@adonisjs/lucid/schema'

/** No release has read them: a case that falls apart is merged into the one with most of its orders instead. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE settlement_cases DROP COLUMN former_keys;
    `)
  }

  async down() {
    this.schema.raw(
      `ALTER TABLE settlement_cases ADD COLUMN former_keys text[] NOT NULL DEFAULT '{}'`
    )
  }
}
