import { BaseSchema } from '@adonisjs/lucid/schema'

/** Reads the deliveries through while sales go on, so each statement is a transaction of its own. */
export default class extends BaseSchema {
  static override disableTransactions = true

  async up() {
    this.schema.raw(
      'ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT webhook_deliveries_journal_check'
    )
    this.schema.raw(
      'ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT webhook_deliveries_journal_fkey'
    )
  }

  async down() {}
}
