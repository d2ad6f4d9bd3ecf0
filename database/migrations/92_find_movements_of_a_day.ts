import { BaseSchema } from '@adonisjs/lucid/schema'

/** The overview sums up the movements of two days. They are stored in the order of time: a few pages say where each day lies. */
export default class extends BaseSchema {
  static override disableTransactions = true

  async up() {
    this.schema.raw('DROP INDEX CONCURRENTLY IF EXISTS ledger_movements_time')
    this.schema.raw(`
      CREATE INDEX CONCURRENTLY ledger_movements_time ON ledger_movements
        USING brin (effective_at) WITH (pages_per_range = 32, autosummarize = on)`)
  }

  async down() {
    this.schema.raw('DROP INDEX ledger_movements_time')
  }
}
