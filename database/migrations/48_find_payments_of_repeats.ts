import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * An accepted repeat for a paid order may name a payment that did not pay it: a second charge. Confirms go on meanwhile, so each
 * statement is a transaction of its own. What the former release records until it stops stays unmarked.
 */
export default class extends BaseSchema {
  static override disableTransactions = true

  async up() {
    this.schema.raw(`
      DO $$
      BEGIN
        SET LOCAL lock_timeout = '3s';
        ALTER TABLE confirm_attempts ADD COLUMN IF NOT EXISTS names_other_payment boolean NOT NULL DEFAULT false;
      END $$`)
    this.schema.raw(`
      UPDATE confirm_attempts a SET names_other_payment = true
        FROM orders o
       WHERE o.id = a.order_id_sent AND o.partner_id = a.partner_id AND a.http_status = 200
         AND a.external_payment_id IS DISTINCT FROM o.payment_external_id`)
    this.schema.raw('DROP INDEX CONCURRENTLY IF EXISTS confirm_attempts_other_payment')
    this.schema.raw(`
      CREATE INDEX CONCURRENTLY confirm_attempts_other_payment ON confirm_attempts
        USING hash (external_payment_id) WHERE names_other_payment`)
  }

  async down() {
    this.schema.raw('DROP INDEX confirm_attempts_other_payment')
    this.schema.raw('ALTER TABLE confirm_attempts DROP COLUMN names_other_payment')
  }
}
