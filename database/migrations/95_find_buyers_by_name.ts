import { BaseSchema } from '@adonisjs/lucid/schema'

/** Staff search orders by words of the buyer's name. */
export default class extends BaseSchema {
  static override disableTransactions = true

  async up() {
    this.schema.raw('DROP INDEX CONCURRENTLY IF EXISTS orders_buyer_name')
    this.schema.raw(`
      CREATE INDEX CONCURRENTLY orders_buyer_name ON orders
        USING gin (to_tsvector('simple', customer ->> 'name')) WHERE customer ->> 'name' IS NOT NULL`)
  }

  async down() {
    this.schema.raw('DROP INDEX orders_buyer_name')
  }
}
