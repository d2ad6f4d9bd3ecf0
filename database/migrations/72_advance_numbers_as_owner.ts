import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    // Whoever may set a sequence may also set it back; restore:finish only needs to advance it.
    this.schema.raw(`
      CREATE FUNCTION advance_sequence(sequence regclass, beyond bigint) RETURNS bigint LANGUAGE plpgsql
        SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      DECLARE
        given bigint;
      BEGIN
        EXECUTE format('SELECT last_value FROM %s', sequence) INTO given;
        IF beyond < given THEN
          RETURN given;
        END IF;
        RETURN setval(sequence, beyond);
      END $$;
      REVOKE EXECUTE ON FUNCTION advance_sequence(regclass, bigint) FROM PUBLIC`)
  }

  async down() {
    this.schema.raw('DROP FUNCTION advance_sequence(regclass, bigint)')
  }
}
