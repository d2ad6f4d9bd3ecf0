import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- 'held' is never stored: who holds and until when is, and the clock reads the rest.
      CREATE TABLE event_seats (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_id text NOT NULL REFERENCES events,
        sector_id integer NOT NULL REFERENCES sectors,
        row_id integer NOT NULL REFERENCES hall_rows,
        space_id text NOT NULL,
        label text NOT NULL,
        position integer NOT NULL,
        category_code text NOT NULL
          CHECK (category_code IN ('standard', 'vip', 'fan', 'invitation', 'service')),
        price_tenge bigint CHECK (price_tenge >= 0),
        has_own_price boolean NOT NULL DEFAULT false,
        state text NOT NULL DEFAULT 'free' CHECK (state IN ('free', 'sold', 'blocked')),
        held_by text CHECK (held_by ~ '^(bkg|crt)_'),
        hold_until timestamptz,
        UNIQUE (event_id, space_id),
        CHECK (state <> 'sold' OR held_by IS NOT NULL),
        CHECK (hold_until IS NULL OR held_by IS NOT NULL)
      ) WITH (fillfactor = 70);
      CREATE INDEX event_seats_sector ON event_seats (event_id, sector_id, position);

      CREATE FUNCTION seat_status(state text, hold_until timestamptz, at timestamptz)
      RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        CASE WHEN state <> 'free' THEN state WHEN hold_until > at THEN 'held' ELSE 'free' END;
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TABLE event_seats;
      DROP FUNCTION seat_status;
    `)
  }
}
