import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- One row that knows which transaction wrote it. A dump brings the row back in another transaction, so whoever compares
      -- made_in with xmin sees that this database was restored, into whichever cluster.
      CREATE TABLE restore_mark (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        made_in xid8 NOT NULL DEFAULT pg_current_xact_id()
      );
      -- A dump of an earlier release that came into another cluster: the relay has not noticed it yet.
      INSERT INTO restore_mark (made_in)
      SELECT CASE cluster WHEN (SELECT system_identifier FROM pg_control_system()) THEN pg_current_xact_id() ELSE '0' END
        FROM webhook_relay;
      ALTER TABLE webhook_relay DROP COLUMN cluster;
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE webhook_relay ADD cluster bigint NOT NULL DEFAULT 0;
      UPDATE webhook_relay SET cluster = (SELECT system_identifier FROM pg_control_system());
      ALTER TABLE webhook_relay ALTER cluster DROP DEFAULT;
      DROP TABLE restore_mark;
    `)
  }
}
