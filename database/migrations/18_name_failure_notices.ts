import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * Gives the time of the notice a plain name. Processes of 0.2.0 go on writing the former one during the upgrade, so both are kept,
 * with the same value, until the release after the next.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE webhook_endpoints ADD COLUMN failure_notified_at timestamptz;
      UPDATE webhook_endpoints SET failure_notified_at = told_failing_at WHERE told_failing_at IS NOT NULL;
      COMMENT ON COLUMN webhook_endpoints.told_failing_at IS
        'The former name of failure_notified_at, which 0.2.0 reads and writes. Dropped in the release after the next.';

      CREATE FUNCTION keep_former_name_of_failure_notice() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          NEW.failure_notified_at := coalesce(NEW.failure_notified_at, NEW.told_failing_at);
        ELSIF NEW.told_failing_at IS DISTINCT FROM OLD.told_failing_at THEN
          NEW.failure_notified_at := NEW.told_failing_at;
        END IF;
        NEW.told_failing_at := NEW.failure_notified_at;
        RETURN NEW;
      END $$;
      CREATE TRIGGER webhook_endpoints_written_by_former_version BEFORE INSERT OR UPDATE ON webhook_endpoints
        FOR EACH ROW EXECUTE FUNCTION keep_former_name_of_failure_notice();
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TRIGGER webhook_endpoints_written_by_former_version ON webhook_endpoints;
      DROP FUNCTION keep_former_name_of_failure_notice;
      COMMENT ON COLUMN webhook_endpoints.told_failing_at IS NULL;
      ALTER TABLE webhook_endpoints DROP COLUMN failure_notified_at;
    `)
  }
}
