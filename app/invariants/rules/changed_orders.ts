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

/**
 * SQL of the tickets that entries of order `o` name, as one row of arrays. Not a row for each: PostgreSQL expects thousands of
 * them, and then compares every order with every other.
 *
 *     ticket_admitted   {"ticket_id": "tkt_1"}               admitted  {tkt_1}
 *     tickets_refunded  {"ticket_ids": ["tkt_2", "tkt_3"]}   refunded  {tkt_2,tkt_3}
 *     tickets_voided    –                                    voided    {}
 */
export const NAMED_TICKETS = `
  SELECT coalesce(array_agg(ticket #>> '{}') FILTER (WHERE name = 'ticket_admitted'), '{}') AS admitted,
         coalesce(array_agg(ticket #>> '{}') FILTER (WHERE name = 'tickets_refunded'), '{}') AS refunded,
         coalesce(array_agg(ticket #>> '{}') FILTER (WHERE name = 'tickets_voided'), '{}') AS voided
    FROM (SELECT j.name, jsonb_path_query(j.change, CASE j.name WHEN 'ticket_admitted' THEN '$.ticket_id' ELSE '$.ticket_ids[*]' END::jsonpath) AS ticket
            FROM journal j
           WHERE j.order_id = o.id AND ${SINCE_PLACED} AND j.name IN ('ticket_admitted', 'tickets_refunded', 'tickets_voided')) entries`
