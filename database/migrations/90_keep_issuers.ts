import { BaseSchema } from '@adonisjs/lucid/schema'

/** Our own details are printed on issued documents: nothing empties their table, as no row of it is changed or deleted. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      CREATE TRIGGER settlement_issuers_are_never_emptied BEFORE TRUNCATE ON settlement_issuers
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    `)
  }

  async down() {
    this.schema.raw('DROP TRIGGER settlement_issuers_are_never_emptied ON settlement_issuers')
  }
}
