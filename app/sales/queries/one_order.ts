/**
 * An order by its id, before its partner is compared. Most partners have few orders, so PostgreSQL would read all orders
 * of the partner instead, and this partner may have a million. `OFFSET 0` keeps it on the primary key.
 */
export const oneOrder = (id: string) => `LATERAL (SELECT * FROM orders WHERE id = ${id} OFFSET 0) o`

/** Several orders, in the same way. */
export const someOrders = (ids: string) =>
  `(SELECT * FROM orders WHERE id = ANY(${ids}::text[]) OFFSET 0) o`
