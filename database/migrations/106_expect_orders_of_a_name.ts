import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * How many orders PostgreSQL expects of buyers of a name: a name that very many have is searched for among the newest orders, any
 * other by its index. Without these statistics PostgreSQL expects a fiftieth of all orders of any name: those of the index are
 * partial, and the planner leaves them out. The function is volatile because PostgreSQL allows EXPLAIN in no other.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`SET LOCAL lock_timeout = '3s'`)
    this.schema.raw(
      `CREATE STATISTICS orders_buyer_words ON (to_tsvector('simple', customer ->> 'name')) FROM orders`
    )
    this.schema.raw('ANALYZE orders')
    this.schema.raw(`
      CREATE FUNCTION expected_orders_of_name(words text) RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE plan json;
      BEGIN
        EXECUTE format(
          'EXPLAIN (FORMAT JSON) SELECT FROM orders WHERE customer ->> ''name'' IS NOT NULL
             AND to_tsvector(''simple'', customer ->> ''name'') @@ to_tsquery(''simple'', %L)', words) INTO plan;
        RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
      END $$`)
  }

  async down() {
    this.schema.raw('DROP FUNCTION expected_orders_of_name')
    this.schema.raw('DROP STATISTICS orders_buyer_words')
  }
}
