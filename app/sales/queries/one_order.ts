/**
 * An order by its index, and whose it is asked afterwards: most partners have few orders, so PostgreSQL would rather read
 * all of a partner's each time, and the one that is asked about may have a million. `OFFSET 0` keeps it from that.
 */
export const oneOrder = (id: string) => `LATERAL (SELECT * FROM orders WHERE id = ${id} OFFSET 0) o`

/** Several, likewise. */
export const someOrders = (ids: string) =>
  `(SELECT * FROM orders WHERE id = ANY(${ids}::text[]) OFFSET 0) o`
