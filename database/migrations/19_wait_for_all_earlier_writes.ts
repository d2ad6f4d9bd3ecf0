import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    // The default was the snapshot's xmax, one above the youngest completed id: an open transaction may have a larger id.
    this.schema.raw(`
      ALTER TABLE settlement_runs ALTER COLUMN asked_before SET DEFAULT pg_current_xact_id();
      COMMENT ON COLUMN settlement_runs.asked_before IS
        'The requester''s own transaction id: whoever was writing when it took that has a smaller one. From the claim on the claim''s id, which is also above those that began between the requester''s first write and its request.';
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE settlement_runs ALTER COLUMN asked_before SET DEFAULT pg_snapshot_xmax(pg_current_snapshot());
      COMMENT ON COLUMN settlement_runs.asked_before IS NULL;
    `)
  }
}
