import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * What erasing a buyer searches by. Sales go on meanwhile, so each statement is a transaction of its own; a repeated migration
 * begins again with an index that was not finished.
 */
const INDEXES = {
  // A booking that became no order, or was made with another e-mail than its order; one that is held is left alone.
  bookings_buyer_email: `bookings (lower(customer ->> 'email') COLLATE "C") WHERE customer IS NOT NULL AND stored_status <> 'active'`,
  bookings_buyer_phone: `bookings (buyer_phone(customer)) WHERE buyer_phone(customer) IS NOT NULL AND stored_status <> 'active'`,
  // Entries with words that a person has typed, and no order.
  journal_cases: `journal ((change ->> 'case_id')) WHERE name IN ('case_changed', 'case_answered')`,
  journal_exports: `journal (at) WHERE name = 'list_exported'`,
}

export default class extends BaseSchema {
  static override disableTransactions = true

  async up() {
    // The first form took 8 701 … and +7 701 … for two phones: its lookahead had become a parameter.
    this.schema.raw(`
      CREATE OR REPLACE FUNCTION buyer_phone(customer jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        nullif(regexp_replace(regexp_replace(customer ->> 'phone', '[^0-9]', '', 'g'), '^8([0-9]{10})$', '7\\1'), '')`)
    this.schema.raw('REINDEX INDEX CONCURRENTLY orders_buyer_phone')
    for (const [name, definition] of Object.entries(INDEXES)) {
      this.schema.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
      this.schema.raw(`CREATE INDEX CONCURRENTLY ${name} ON ${definition}`)
    }
    this.schema.raw('ALTER TABLE orders VALIDATE CONSTRAINT orders_erased_buyer')
    this.schema.raw('ALTER TABLE bookings VALIDATE CONSTRAINT bookings_erased_buyer')
  }

  async down() {
    for (const name of Object.keys(INDEXES)) this.schema.raw(`DROP INDEX CONCURRENTLY ${name}`)
  }
}
