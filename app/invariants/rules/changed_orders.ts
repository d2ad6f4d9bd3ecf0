/** SQL of the ids of all orders. */
export const ALL_ORDERS = 'SELECT id::text AS id FROM orders'

/** SQL of the ids of orders that are new, or that the journal has an entry about. */
export const CHANGED_ORDERS = `
  SELECT id::text AS id FROM orders WHERE created_at >= :since
   UNION
  SELECT order_id FROM journal WHERE id >= :sinceEntry AND order_id IS NOT NULL`
