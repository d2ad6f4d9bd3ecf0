import { BaseSchema } from '@adonisjs/lucid/schema'

/** A case whose orders turned out to be another case's: it is gone, and what people wrote on it is shown there. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      ALTER TABLE settlement_cases ADD COLUMN merged_into integer REFERENCES settlement_cases,
        ADD CONSTRAINT settlement_cases_merged CHECK (merged_into IS NULL OR merged_into <> id AND gone_at IS NOT NULL);
      CREATE INDEX settlement_cases_merged_into ON settlement_cases (merged_into) WHERE merged_into IS NOT NULL;
    `)
  }

  async down() {
    this.schema.raw('ALTER TABLE settlement_cases DROP COLUMN merged_into')
  }
}
