import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * Gives two columns of runs plain names. Processes of 0.2.0 go on writing the former ones during the upgrade, so both are kept, with
 * the same values, until the release after the next.
 *
 * Live runs stay unique by the former name alone. Because both names have one value, this holds for the new one, too; with a second
 * unique index 0.2.0, whose INSERT names the first as its conflict target, would fail in a race.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE settlement_runs
        ADD COLUMN request_sha256 text,
        ADD COLUMN saw_earlier_writes boolean NOT NULL DEFAULT false;
      UPDATE settlement_runs SET request_sha256 = question_sha256, saw_earlier_writes = is_settled;
      COMMENT ON COLUMN settlement_runs.request_sha256 IS
        'Of the kind, partner, parameters, language, cause and version of the data: the same request has one run.';
      COMMENT ON COLUMN settlement_runs.saw_earlier_writes IS
        'Whether all that was being written at the request had ended when the run began: only then is its document reused.';
      COMMENT ON COLUMN settlement_runs.question_sha256 IS
        'The former name of request_sha256, which 0.2.0 reads and writes. Dropped in the release after the next.';
      COMMENT ON COLUMN settlement_runs.is_settled IS
        'The former name of saw_earlier_writes, which 0.2.0 reads and writes. Dropped in the release after the next.';

      CREATE FUNCTION keep_former_names_of_runs() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          NEW.request_sha256 := coalesce(NEW.request_sha256, NEW.question_sha256);
          NEW.saw_earlier_writes := NEW.saw_earlier_writes OR NEW.is_settled;
        ELSE
          IF NEW.question_sha256 <> OLD.question_sha256 THEN NEW.request_sha256 := NEW.question_sha256; END IF;
          IF NEW.is_settled <> OLD.is_settled THEN NEW.saw_earlier_writes := NEW.is_settled; END IF;
        END IF;
        NEW.question_sha256 := NEW.request_sha256;
        NEW.is_settled := NEW.saw_earlier_writes;
        RETURN NEW;
      END $$;
      CREATE TRIGGER settlement_runs_written_by_former_version BEFORE INSERT OR UPDATE ON settlement_runs
        FOR EACH ROW EXECUTE FUNCTION keep_former_names_of_runs();

      -- Short lock: settlement_runs has some thousand rows, and no sale waits for it.
      CREATE INDEX settlement_runs_live_requests ON settlement_runs (request_sha256)
        WHERE state IN ('queued', 'running') AND cancel_asked_at IS NULL;
      -- Short lock: as above.
      CREATE INDEX settlement_runs_reusable ON settlement_runs (request_sha256, id)
        WHERE state = 'succeeded' AND saw_earlier_writes;

      -- The default was the snapshot's xmax, one above the youngest completed id: an open transaction may have a larger id.
      ALTER TABLE settlement_runs ALTER COLUMN asked_before SET DEFAULT pg_current_xact_id();
      COMMENT ON COLUMN settlement_runs.asked_before IS
        'The requester''s own transaction id: whoever was writing when it took that has a smaller one. From the claim on the claim''s id, which is also above those that began between the requester''s first write and its request.';
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE settlement_runs ALTER COLUMN asked_before SET DEFAULT pg_snapshot_xmax(pg_current_snapshot());
      COMMENT ON COLUMN settlement_runs.asked_before IS NULL;
      DROP TRIGGER settlement_runs_written_by_former_version ON settlement_runs;
      DROP FUNCTION keep_former_names_of_runs;
      COMMENT ON COLUMN settlement_runs.is_settled IS NULL;
      COMMENT ON COLUMN settlement_runs.question_sha256 IS NULL;
      ALTER TABLE settlement_runs DROP COLUMN saw_earlier_writes, DROP COLUMN request_sha256;
    `)
  }
}
