import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- Who has set up somebody else's account or changed how that person gets in: for some days the two accounts
      -- may be one person's, so that they don't count as two where two people are needed.
      CREATE TABLE staff_account_changes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        staff_id integer NOT NULL REFERENCES staff,
        changed_by integer NOT NULL REFERENCES staff,
        -- The journal's name for it.
        change text NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX staff_account_changes_at ON staff_account_changes (at);

      -- Changes of the last days count as well.
      INSERT INTO staff_account_changes (staff_id, changed_by, change, at)
      SELECT person.id, author.id, j.name, j.at
        FROM journal j
        JOIN staff person ON lower(person.email) = lower(j.change ->> 'email')
        JOIN staff author ON lower(author.email) = lower(j.actor)
       WHERE j.at > now() - interval '30 days' AND j.actor_kind = 'staff'
         AND j.name IN ('staff_created', 'staff_role_changed', 'staff_enabled', 'staff_password_reset',
                        'staff_second_factor_reset');

      -- Wrong passwords and codes, by account and by the network they came from. Without an account: nobody of
      -- that name works here, and what was typed is not kept.
      CREATE TABLE staff_sign_in_failures (
        staff_id integer REFERENCES staff,
        -- An IPv4 address, or the /64 of an IPv6 one.
        network text NOT NULL,
        -- In the present run of failures.
        failures integer NOT NULL,
        -- Those that the journal doesn't have yet.
        unreported integer NOT NULL,
        last_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        reported_at timestamptz,
        -- Until when this network gets no further try for this account.
        blocked_until timestamptz,
        UNIQUE NULLS NOT DISTINCT (staff_id, network)
      );
      -- 0 stands for nobody's account: a null is in no comparison that an index could serve.
      CREATE INDEX staff_sign_in_failures_reported ON staff_sign_in_failures (coalesce(staff_id, 0), reported_at);
      CREATE INDEX staff_sign_in_failures_unreported ON staff_sign_in_failures (coalesce(staff_id, 0)) WHERE unreported > 0;

      -- Until when unknown networks get a try for this account only now and then.
      ALTER TABLE staff ADD COLUMN sign_in_slowed_until timestamptz;
      -- Wrong codes since the last right one.
      ALTER TABLE staff ADD COLUMN second_factor_failures integer NOT NULL DEFAULT 0;
      -- No code counts any more, until an administrator unlocks it.
      ALTER TABLE staff ADD COLUMN second_factor_locked_at timestamptz;

      -- Somebody who isn't signed in. Not validated: all that is stored was allowed before, and the journal is long.
      ALTER DOMAIN actor_kind DROP CONSTRAINT actor_kind_check;
      ALTER DOMAIN actor_kind ADD CONSTRAINT actor_kind_check
        CHECK (VALUE IN ('partner', 'staff', 'clock', 'gate', 'storefront', 'console', 'visitor')) NOT VALID;
    `)
  }

  async down() {
    // The kind of actor stays allowed: the journal may hold entries of it.
    this.schema.raw(`
      ALTER TABLE staff DROP COLUMN second_factor_locked_at, DROP COLUMN second_factor_failures,
        DROP COLUMN sign_in_slowed_until;
      DROP TABLE staff_sign_in_failures, staff_account_changes;
    `)
  }
}
