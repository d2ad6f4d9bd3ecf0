import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- How each scheduled job went when it last ran, whichever worker ran it.
      CREATE TABLE job_runs (
        job text PRIMARY KEY,
        ran_at timestamptz NOT NULL,
        took_ms integer NOT NULL,
        succeeded_at timestamptz,
        failed_at timestamptz,
        failure text,
        failures_in_row integer NOT NULL DEFAULT 0
      ) WITH (fillfactor = 50);

      -- Workers that are at work, as they say themselves every few seconds.
      CREATE TABLE workers (
        id uuid PRIMARY KEY,
        host text NOT NULL,
        pid integer NOT NULL,
        queues text[] NOT NULL,
        -- Without Redis a worker keeps the schedule by itself.
        is_alone boolean NOT NULL,
        started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        beat_at timestamptz NOT NULL DEFAULT clock_timestamp()
      ) WITH (fillfactor = 50);
    `)
  }

  async down() {
    this.schema.raw('DROP TABLE workers, job_runs')
  }
}
