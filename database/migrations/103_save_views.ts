import { BaseSchema } from '@adonisjs/lucid/schema'

/** Filters and columns that a person has saved for a list of the back office, and the view that a list opens with. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      CREATE TABLE saved_views (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        staff_id integer NOT NULL REFERENCES staff,
        list text NOT NULL CHECK (list ~ '^[a-z_]{1,30}$'),
        -- Its place among the person's views of the list: there are no more than 200.
        place integer NOT NULL CHECK (place BETWEEN 1 AND 200),
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 80 AND name = btrim(name)),
        -- Whether everybody sees it who may see the list.
        is_shared boolean NOT NULL,
        filters jsonb NOT NULL CHECK (jsonb_typeof(filters) = 'object' AND length(filters::text) <= 8000),
        -- Those shown, in their order; null for all that the list has.
        columns text[] CHECK (cardinality(columns) BETWEEN 1 AND 40),
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        UNIQUE (staff_id, list, place),
        UNIQUE (id, list)
      );
      CREATE UNIQUE INDEX saved_views_name ON saved_views (staff_id, list, lower(name));
      CREATE INDEX saved_views_shared ON saved_views (list) WHERE is_shared;

      -- The view that a list opens with, for one person.
      CREATE TABLE default_views (
        staff_id integer NOT NULL REFERENCES staff,
        list text NOT NULL,
        view_id integer NOT NULL,
        PRIMARY KEY (staff_id, list),
        FOREIGN KEY (view_id, list) REFERENCES saved_views (id, list) ON DELETE CASCADE
      );
      CREATE INDEX default_views_view ON default_views (view_id);
    `)
  }

  async down() {
    this.schema.raw('DROP TABLE default_views, saved_views')
  }
}
