import { BaseSchema } from '@adonisjs/lucid/schema'

/** The newest orders of a partner or an event are read in their order, however many it has. */
export default class extends BaseSchema {
  static override disableTransactions = true

  async up() {
    for (const [name, column] of INDEXES) {
      this.schema.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
      this.schema.raw(
        `CREATE INDEX CONCURRENTLY ${name} ON orders (${column}, created_at DESC, id DESC)`
      )
    }
  }

  async down() {
    for (const [name] of INDEXES) this.schema.raw(`DROP INDEX ${name}`)
  }
}

const INDEXES = [
  ['orders_of_partner', 'partner_id'],
  ['orders_of_event', 'event_id'],
]
