import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    // The default was the snapshot's xmax, one above the youngest completed id: an open transaction may have a larger id.
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE settlement_runs RENAME COLUMN question_sha256 TO request_sha256;
      ALTER TABLE settlement_runs RENAME COLUMN is_settled TO saw_earlier_writes;
      ALTER INDEX settlement_runs_answered RENAME TO settlement_runs_reusable;
      COMMENT ON COLUMN settlement_runs.request_sha256 IS
        'Of the kind, partner, parameters, language, cause and version of the data: the same request has one run.';
      COMMENT ON COLUMN settlement_runs.saw_earlier_writes IS
        'Whether all that was being written at the request had ended when the run began: only then is its document reused.';
      ALTER TABLE settlement_runs ALTER COLUMN asked_before SET DEFAULT pg_current_xact_id();
      COMMENT ON COLUMN settlement_runs.asked_before IS
        'The requester''s own transaction id: whoever was writing when it took that has a smaller one. From the claim on the claim''s id, which is also above those that began between the requester''s first write and its request.';
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE settlement_runs ALTER COLUMN asked_before SET DEFAULT pg_snapshot_xmax(pg_current_snapshot());
      COMMENT ON COLUMN settlement_runs.asked_before IS NULL;
      COMMENT ON COLUMN settlement_runs.saw_earlier_writes IS NULL;
      COMMENT ON COLUMN settlement_runs.request_sha256 IS NULL;
      ALTER INDEX settlement_runs_reusable RENAME TO settlement_runs_answered;
      ALTER TABLE settlement_runs RENAME COLUMN saw_earlier_writes TO is_settled;
      ALTER TABLE settlement_runs RENAME COLUMN request_sha256 TO question_sha256;
    `)
  }
}
