import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * A payment that a register names is looked for among refused confirms; an accepted one is its order's. Confirms go on meanwhile.
 */
export default class extends BaseSchema {
  static override disableTransactions = true

  async up() {
    this.schema.raw('DROP INDEX CONCURRENTLY IF EXISTS confirm_attempts_refused_payment')
    this.schema.raw(`
      CREATE INDEX CONCURRENTLY confirm_attempts_refused_payment ON confirm_attempts
        USING hash (external_payment_id) WHERE http_status <> 200`)
  }

  async down() {
    this.schema.raw('DROP INDEX confirm_attempts_refused_payment')
  }
}
