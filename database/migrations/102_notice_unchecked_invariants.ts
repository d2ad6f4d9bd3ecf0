import { BaseSchema } from '@adonisjs/lucid/schema'

/** Whoever is on duty is mailed also about invariants that are not checked. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE invariant_states
        -- One that was never checked is late from here on.
        ADD first_seen_at timestamptz NOT NULL DEFAULT now(),
        -- When the staff on duty were mailed that it is not checked; null while it is.
        ADD unchecked_alerted_at timestamptz;
    `)
  }

  async down() {
    this.schema.raw('ALTER TABLE invariant_states DROP first_seen_at, DROP unchecked_alerted_at')
  }
}
