import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * Every check reads the matches in which a partner's registers differ from our orders: a few among hundreds of thousands. The
 * condition is that of `read_cases.ts`, word for word, or PostgreSQL would not use the index.
 */
export default class extends BaseSchema {
  static override disableTransactions = true

  async up() {
    this.schema.raw('DROP INDEX CONCURRENTLY IF EXISTS partner_register_cases_remarkable')
    this.schema.raw(`
      CREATE INDEX CONCURRENTLY partner_register_cases_remarkable ON partner_register_cases (register_id, place)
        WHERE NOT (category = 'MATCHED' AND refunds_tenge = 0
          AND decision IS DISTINCT FROM 'rejected' AND NOT why @> '[{"code": "NET_OF_REFUND"}]')`)
  }

  async down() {
    this.schema.raw('DROP INDEX partner_register_cases_remarkable')
  }
}
