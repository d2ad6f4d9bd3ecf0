import { BaseSchema } from '@adonisjs/lucid/schema'

/** A check asks which payments were sent in vain for the orders of its period. Confirms go on meanwhile. */
export default class extends BaseSchema {
  static override disableTransactions = true

  async up() {
    this.schema.raw('DROP INDEX CONCURRENTLY IF EXISTS confirm_attempts_in_vain')
    this.schema.raw(`
      CREATE INDEX CONCURRENTLY confirm_attempts_in_vain ON confirm_attempts (partner_id, received_at)
        WHERE http_status <> 200 OR names_other_payment`)
  }

  async down() {
    this.schema.raw('DROP INDEX confirm_attempts_in_vain')
  }
}
