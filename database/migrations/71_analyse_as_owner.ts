import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    // Only the owner of a table may ANALYZE it; for others PostgreSQL skips it with a warning.
    this.schema.raw(`
      CREATE FUNCTION analyse_tables(VARIADIC tables regclass[]) RETURNS void LANGUAGE plpgsql
        SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      DECLARE
        each regclass;
      BEGIN
        FOREACH each IN ARRAY tables LOOP
          EXECUTE format('ANALYZE %s', each);
        END LOOP;
      END $$;
      REVOKE EXECUTE ON FUNCTION analyse_tables(regclass[]) FROM PUBLIC`)
  }

  async down() {
    this.schema.raw('DROP FUNCTION analyse_tables(regclass[])')
  }
}
