import { BaseSchema } from '@adonisjs/lucid/schema'

/** Sources are few, but a constraint is validated without keeping anybody from writing. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw('ALTER TABLE register_sources VALIDATE CONSTRAINT register_sources_judged_as')
  }

  async down() {
    // Goes with its column.
  }
}
