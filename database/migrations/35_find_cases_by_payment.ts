import { BaseSchema } from '@adonisjs/lucid/schema'

/** People search cases by a payment that only a register shows. */
export default class extends BaseSchema {
  static override disableTransactions = true

  async up() {
    this.schema.raw('DROP INDEX CONCURRENTLY IF EXISTS settlement_cases_payments')
    this.schema.raw(
      'CREATE INDEX CONCURRENTLY settlement_cases_payments ON settlement_cases USING gin (payment_ids)'
    )
  }

  async down() {
    this.schema.raw('DROP INDEX settlement_cases_payments')
  }
}
