import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- Issued statements for which it was decided who is mailed: each exactly once. Earlier ones were decided when issued.
      CREATE TABLE statement_mailings (
        statement_id integer PRIMARY KEY REFERENCES settlement_statements,
        decided_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      INSERT INTO statement_mailings (statement_id, decided_at) SELECT id, issued_at FROM settlement_statements;
    `)
  }

  async down() {
    this.schema.raw('DROP TABLE statement_mailings')
  }
}
