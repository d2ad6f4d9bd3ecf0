import { BaseSchema } from '@adonisjs/lucid/schema'

/** Our own details in documents of settlement: one row for each change, the latest counts, a statement keeps those of its day. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      CREATE TABLE settlement_issuers (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        legal_name text NOT NULL CHECK (btrim(legal_name) <> ''),
        bin text NOT NULL CHECK (bin ~ '^[0-9]{12}$'),
        address text,
        -- Who signs for us: name and position.
        signatory text,
        set_by text NOT NULL,
        set_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE TRIGGER settlement_issuers_stay BEFORE UPDATE OR DELETE ON settlement_issuers
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
    `)
  }

  async down() {
    this.schema.raw('DROP TABLE settlement_issuers')
  }
}
