import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- A known text under the APP_KEY of the first start: a process with another key can't open it, and ends.
      CREATE TABLE app_key_canary (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        sealed text NOT NULL,
        made_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`)
  }

  async down() {
    this.schema.raw('DROP TABLE app_key_canary')
  }
}
