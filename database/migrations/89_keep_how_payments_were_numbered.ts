import { BaseSchema } from '@adonisjs/lucid/schema'

/** What was said of a source's payment ids when its evidence was worked out: where it is another now, that is done once more. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE partner_register_kept_evidence
        -- Null where the release before has worked it out.
        ADD COLUMN payment_ids_were text
    `)
  }

  async down() {
    this.schema.raw('ALTER TABLE partner_register_kept_evidence DROP COLUMN payment_ids_were')
  }
}
