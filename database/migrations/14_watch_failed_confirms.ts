import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- Confirms that we answered 5xx or not at all: few, and looked for all the time.
      CREATE INDEX confirm_attempts_failed ON confirm_attempts (received_at) WHERE http_status IS NULL OR http_status >= 500;
      CREATE INDEX journal_confirm_failed ON journal (at) WHERE name = 'confirm_failed';

      -- An alert to our own staff comes of no run and brings no file.
      ALTER TABLE mails DROP CONSTRAINT mails_purpose_check;
      ALTER TABLE mails ALTER run_id DROP NOT NULL;
      ALTER TABLE mails ADD order_ids text[];
      ALTER TABLE mails
        ADD CONSTRAINT mails_purpose_check CHECK (purpose IN ('statement', 'report', 'alert')),
        ADD CONSTRAINT mails_run_check CHECK ((purpose = 'alert') = (run_id IS NULL)),
        ADD CONSTRAINT mails_orders_check CHECK ((purpose = 'alert') = (order_ids IS NOT NULL));
      CREATE INDEX mails_alerts ON mails (partner_id, queued_at) WHERE purpose = 'alert';
    `)
  }

  async down() {
    this.schema.raw(`
      DELETE FROM mails WHERE purpose = 'alert';
      DROP INDEX mails_alerts;
      ALTER TABLE mails DROP CONSTRAINT mails_orders_check, DROP CONSTRAINT mails_run_check,
        DROP CONSTRAINT mails_purpose_check;
      ALTER TABLE mails DROP order_ids;
      ALTER TABLE mails ALTER run_id SET NOT NULL;
      ALTER TABLE mails ADD CONSTRAINT mails_purpose_check CHECK (purpose IN ('statement', 'report'));
      DROP INDEX journal_confirm_failed, confirm_attempts_failed;
    `)
  }
}
