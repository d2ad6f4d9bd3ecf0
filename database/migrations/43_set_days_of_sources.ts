import { BaseSchema } from '@adonisjs/lucid/schema'

/** In which zone a source writes its times, and when a day of its registers begins. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE register_sources
        ADD COLUMN utc_offset_minutes integer NOT NULL DEFAULT 300 CHECK (utc_offset_minutes BETWEEN -720 AND 840),
        -- After midnight by its own clock; negative for the evening before.
        ADD COLUMN day_start_minutes integer NOT NULL DEFAULT 0 CHECK (day_start_minutes BETWEEN -720 AND 720);
      ALTER TABLE partner_registers
        -- How much later than midnight at the venues its days begin; its period has this in it.
        ADD COLUMN day_shift_minutes integer NOT NULL DEFAULT 0;
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE partner_registers DROP COLUMN day_shift_minutes;
      ALTER TABLE register_sources DROP COLUMN utc_offset_minutes, DROP COLUMN day_start_minutes;
    `)
  }
}
