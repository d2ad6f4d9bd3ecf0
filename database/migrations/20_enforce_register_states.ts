import { BaseSchema } from '@adonisjs/lucid/schema'

/** What stays as it is takes no step. */
const STEPS = [
  ['uploaded', 'mapped'],
  ['uploaded', 'dropped'],
  ['mapped', 'uploaded'],
  ['mapped', 'read'],
  ['mapped', 'dropped'],
  ['read', 'uploaded'],
  ['read', 'mapped'],
  ['read', 'matched'],
  ['read', 'dropped'],
  ['matched', 'uploaded'],
  ['matched', 'mapped'],
  ['matched', 'read'],
  ['matched', 'confirmed'],
  ['matched', 'dropped'],
  ['confirmed', 'dropped'],
]

/** The state table of registers, kept by the database as the others are. */
export default class extends BaseSchema {
  async up() {
    const pairs = STEPS.map(([from, to]) => `('${from}', '${to}')`).join(', ')
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      CREATE TRIGGER partner_registers_keep_to_states BEFORE UPDATE OF state ON partner_registers FOR EACH ROW
        WHEN (OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (${pairs}))
        EXECUTE FUNCTION refuse_step('state')
    `)
  }

  async down() {
    this.schema.raw('DROP TRIGGER partner_registers_keep_to_states ON partner_registers')
  }
}
