import { BaseSchema } from '@adonisjs/lucid/schema'

/** What tells whether a register numbers payments as confirms do, and whether it shows all sales or a part of them. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE partner_register_kept_evidence
        -- Charges with a payment id, and those of them whose id confirms name.
        ADD COLUMN charges_with_id integer NOT NULL DEFAULT 0,
        ADD COLUMN charges_with_id_of_confirms integer NOT NULL DEFAULT 0,
        -- Orders of ours that it has to show as charged, and does not.
        ADD COLUMN missing_orders integer NOT NULL DEFAULT 0
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE partner_register_kept_evidence
        DROP COLUMN charges_with_id, DROP COLUMN charges_with_id_of_confirms, DROP COLUMN missing_orders
    `)
  }
}
