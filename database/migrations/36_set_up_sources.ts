import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * How the rows of a source are read: whether they show operations or the state of an order, what its amounts are, and in which
 * unit. A row that shows a state may show both a charge and what went back of it.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE register_sources
        ADD COLUMN rows_show text NOT NULL DEFAULT 'operations' CHECK (rows_show IN ('operations', 'states')),
        ADD COLUMN amounts_are text NOT NULL DEFAULT 'gross' CHECK (amounts_are IN ('gross', 'net')),
        ADD COLUMN unit text NOT NULL DEFAULT 'tenge' CHECK (unit IN ('tenge', 'tiyn'));
      ALTER TABLE partner_register_rows
        -- What went back of the charge that the same row shows.
        ADD COLUMN returned_tenge bigint NOT NULL DEFAULT 0,
        -- Validated later (45): the rows of all registers are many.
        ADD CONSTRAINT partner_register_rows_returned_tenge_check CHECK (returned_tenge >= 0) NOT VALID;
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE partner_register_rows DROP COLUMN returned_tenge;
      ALTER TABLE register_sources DROP COLUMN rows_show, DROP COLUMN amounts_are, DROP COLUMN unit;
    `)
  }
}
