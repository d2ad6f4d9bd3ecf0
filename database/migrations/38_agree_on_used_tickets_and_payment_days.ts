import { BaseSchema } from '@adonisjs/lucid/schema'

const STEPS = [
  ['active', 'used'],
  ['active', 'void'],
  ['active', 'expired'],
  ['expired', 'used'],
]
/** Only a cancelled event takes back a ticket with which a guest was admitted, where the terms say so. */
const STEPS_NOW = [...STEPS, ['used', 'void']]

/** What terms agree on since: used tickets of cancelled events, and the days to pay a statement. The fourth form of the hash. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE settlement_terms
        ADD COLUMN used_tickets_of_cancelled_events text NOT NULL DEFAULT 'keep'
          CHECK (used_tickets_of_cancelled_events IN ('keep', 'void')),
        -- Null: no day is agreed on.
        ADD COLUMN payment_days smallint CHECK (payment_days BETWEEN 0 AND 365);
      ALTER TABLE settlement_statements DROP CONSTRAINT settlement_statements_hash_version_check;
      ALTER TABLE settlement_statements ADD CONSTRAINT settlement_statements_hash_version_check
        CHECK (hash_version IN (1, 2, 3, 4));
    `)
    this.#keepToStates(STEPS_NOW)
  }

  async down() {
    this.#keepToStates(STEPS)
    // Hash versions may still be 4: statements of the fourth form stay.
    this.schema.raw(`
      ALTER TABLE settlement_terms DROP COLUMN used_tickets_of_cancelled_events, DROP COLUMN payment_days;
    `)
  }

  #keepToStates(steps: string[][]) {
    const pairs = steps.map(([from, to]) => `('${from}', '${to}')`).join(', ')
    this.schema.raw(`
      DROP TRIGGER tickets_keep_to_states ON tickets;
      CREATE TRIGGER tickets_keep_to_states BEFORE UPDATE OF status ON tickets FOR EACH ROW
        WHEN (OLD.status <> NEW.status AND (OLD.status, NEW.status) NOT IN (${pairs}))
        EXECUTE FUNCTION refuse_step('status')
    `)
  }
}
