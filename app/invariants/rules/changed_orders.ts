/** SQL of the moment from which on the journal is whole: months before it were archived (ADR 31). */
export const JOURNAL_BEGINS = `(SELECT coalesce(max(until_at), '-infinity') FROM archived_months WHERE table_name = 'journal')`

/** SQL: entry `j` is not older than order `o`, so that PostgreSQL passes over the months before. */
export const SINCE_PLACED = `j.at >= o.created_at - interval '1 day'`

/** SQL of the ids of all orders. */
export const ALL_ORDERS = 'SELECT id::text AS id FROM orders'

/** SQL of the ids of orders that are new, or that the journal has an entry about. */
export const CHANGED_ORDERS = `
  SELECT id::text AS id FROM orders WHERE created_at >= :since
   UNION
  SELECT order_id FROM journal WHERE id >= :sinceEntry AND order_id IS NOT NULL`
