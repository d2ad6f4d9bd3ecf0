import { BaseSchema } from '@adonisjs/lucid/schema'

/** How the exposure of a case came about, as its last check computed it; null until a case is checked again. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE settlement_cases ADD COLUMN balance jsonb;
    `)
  }

  async down() {
    this.schema.raw('ALTER TABLE settlement_cases DROP COLUMN balance')
  }
}
