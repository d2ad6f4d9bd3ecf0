import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      CREATE DOMAIN seat_state AS text CHECK (VALUE IN ('free', 'sold', 'blocked'));
      -- A booking, or a cart of the platform's own storefront.
      CREATE DOMAIN seat_holder AS text CHECK (VALUE ~ '^(bkg|crt)_');

      -- 'held' is never stored: who holds and until when is, and the clock reads the rest.
      CREATE TABLE event_seats (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_id text NOT NULL REFERENCES events,
        sector_id integer NOT NULL REFERENCES sectors,
        row_id integer NOT NULL REFERENCES hall_rows,
        space_id text NOT NULL,
        label text NOT NULL,
        position integer NOT NULL,
        category_code category_code NOT NULL,
        price_tenge tenge,
        has_own_price boolean NOT NULL DEFAULT false,
        state seat_state NOT NULL DEFAULT 'free',
        held_by seat_holder,
        hold_until timestamptz,
        UNIQUE (event_id, space_id),
        CHECK ((state <> 'sold' AND hold_until IS NULL) OR held_by IS NOT NULL)
      ) WITH (fillfactor = 70);
      CREATE UNIQUE INDEX event_seats_sector ON event_seats (event_id, sector_id, position);
      -- Partners are sent to these places: where a seat is and what it is never changes, nor the label of its row.
      CREATE TRIGGER event_seats_layout_stays
        BEFORE UPDATE OF event_id, sector_id, row_id, space_id, label, position, category_code ON event_seats
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER hall_rows_stay BEFORE UPDATE ON hall_rows FOR EACH ROW EXECUTE FUNCTION refuse_change();

      CREATE FUNCTION seat_status(state text, hold_until timestamptz, at timestamptz)
      RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        CASE WHEN state <> 'free' THEN state WHEN hold_until > at THEN 'held' ELSE 'free' END;
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TRIGGER hall_rows_stay ON hall_rows;
      DROP TABLE event_seats;
      DROP FUNCTION seat_status;
      DROP DOMAIN seat_holder, seat_state;
    `)
  }
}
