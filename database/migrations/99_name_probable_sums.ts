import { BaseSchema } from '@adonisjs/lucid/schema'

/** What a sum that cannot be right probably is: 7,350 for 735,000, which is an order's total in tiyn. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      -- Null where it is not known, or where the release before has checked the case.
      ALTER TABLE settlement_defects ADD COLUMN probable_tenge bigint
    `)
  }

  async down() {
    this.schema.raw('ALTER TABLE settlement_defects DROP COLUMN probable_tenge')
  }
}
