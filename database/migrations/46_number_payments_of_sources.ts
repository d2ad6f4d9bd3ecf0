import { BaseSchema } from '@adonisjs/lucid/schema'

/** Whether a source numbers payments as confirms do, or in its own way, as a bank may. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE register_sources
        ADD COLUMN payment_ids_are text NOT NULL DEFAULT 'shared' CHECK (payment_ids_are IN ('shared', 'own'))
    `)
  }

  async down() {
    this.schema.raw('ALTER TABLE register_sources DROP COLUMN payment_ids_are')
  }
}
