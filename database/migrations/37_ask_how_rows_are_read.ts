import { BaseSchema } from '@adonisjs/lucid/schema'

/** Whether a person has said how the rows of a source are read; until then a file that suggests otherwise is not confirmed. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE register_sources ADD COLUMN is_set_up boolean NOT NULL DEFAULT false;
    `)
  }

  async down() {
    this.schema.raw('ALTER TABLE register_sources DROP COLUMN is_set_up')
  }
}
