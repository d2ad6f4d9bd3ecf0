import { BaseSchema } from '@adonisjs/lucid/schema'

const TABLES = [
  'settlement_requests',
  'settlement_single_acts',
  'settlement_answers',
  'settlement_rule_sets',
]

/** The owner of the database, too, cannot empty what second people, partners and rules have said. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw("SET LOCAL lock_timeout = '3s'")
    for (const table of TABLES)
      this.schema.raw(`
        CREATE TRIGGER ${table}_are_never_emptied BEFORE TRUNCATE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
      `)
  }

  async down() {
    for (const table of TABLES)
      this.schema.raw(`DROP TRIGGER ${table}_are_never_emptied ON ${table}`)
  }
}
