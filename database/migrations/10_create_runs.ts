import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- Long pieces of work that somebody asked for and a worker does. Their turn is found here, never in Redis alone.
      CREATE TABLE settlement_runs (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL,
        partner_id integer REFERENCES partners,
        params jsonb NOT NULL,
        language text NOT NULL CHECK (language IN ('ru', 'kk', 'en')),
        -- Of the kind, what it is about and the state of the data: the same question has one answer.
        question_sha256 text NOT NULL,
        state text NOT NULL DEFAULT 'queued'
          CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired')),
        asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        -- Younger transactions than this were none when it was asked.
        asked_before xid8 NOT NULL DEFAULT pg_snapshot_xmax(pg_current_snapshot()),
        -- All that was under way when it was asked had ended when it was begun: it has seen what was asked about.
        is_settled boolean NOT NULL DEFAULT false,
        asked_by text NOT NULL,
        asked_by_kind text NOT NULL,
        request_id uuid,
        not_before timestamptz NOT NULL DEFAULT clock_timestamp(),
        started_at timestamptz,
        finished_at timestamptz,
        attempts integer NOT NULL DEFAULT 0,
        -- Who is at it, until when nobody else may be; also the name of the directory of its files.
        claim uuid,
        lease_until timestamptz,
        progress jsonb,
        cancel_asked_at timestamptz,
        result jsonb,
        error jsonb,
        -- Null: its files are kept for ever.
        kept_until timestamptz,
        CHECK ((state IN ('queued', 'running')) = (finished_at IS NULL)),
        CHECK ((state = 'running') = (lease_until IS NOT NULL)),
        CHECK ((state = 'failed') = (error IS NOT NULL)),
        CHECK (state NOT IN ('succeeded', 'expired') OR result IS NOT NULL)
      );
      -- Two who ask the same at once get the same run, but not one that is being stopped.
      CREATE UNIQUE INDEX settlement_runs_live ON settlement_runs (question_sha256)
        WHERE state IN ('queued', 'running') AND cancel_asked_at IS NULL;
      CREATE INDEX settlement_runs_answered ON settlement_runs (question_sha256, id) WHERE state = 'succeeded' AND is_settled;
      CREATE INDEX settlement_runs_due ON settlement_runs (not_before, id) WHERE state IN ('queued', 'running');
      CREATE INDEX settlement_runs_partner ON settlement_runs (partner_id, id);
      CREATE INDEX settlement_runs_kept ON settlement_runs (kept_until) WHERE state = 'succeeded';

      CREATE TABLE settlement_run_files (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        run_id integer NOT NULL REFERENCES settlement_runs,
        name text NOT NULL,
        rows integer,
        bytes bigint NOT NULL,
        sha256 text NOT NULL,
        UNIQUE (run_id, name)
      );
    `)
  }

  async down() {
    this.schema.raw('DROP TABLE settlement_run_files, settlement_runs')
  }
}
