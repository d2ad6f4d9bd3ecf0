import { BaseSchema } from '@adonisjs/lucid/schema'

/** A payment that a register names is looked for among refused confirms; an accepted one is its order's. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      CREATE INDEX confirm_attempts_refused_payment ON confirm_attempts USING hash (external_payment_id) WHERE http_status <> 200;
    `)
  }

  async down() {
    this.schema.raw('DROP INDEX confirm_attempts_refused_payment')
  }
}
