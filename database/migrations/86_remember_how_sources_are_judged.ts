import { BaseSchema } from '@adonisjs/lucid/schema'

/** By what the registers of a source have been judged last: where it changes, all of them are judged again. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE register_sources
        -- Null until a register is confirmed. Unknown: not known to number payments as confirms do.
        ADD COLUMN judged_as text;
      ALTER TABLE register_sources
        ADD CONSTRAINT register_sources_judged_as CHECK (judged_as IN ('all', 'part', 'own', 'unknown')) NOT VALID
    `)
  }

  async down() {
    this.schema.raw('ALTER TABLE register_sources DROP COLUMN judged_as')
  }
}
