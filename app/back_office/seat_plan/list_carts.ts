import type { OpenCart } from '#back_office/seat_plan/seat_plan_props'
import { statement } from '#shared/statement'

const MOST = 50

/** Carts of the storefront and the counter that hold seats of an event now, the next to lapse first. */
export const listCarts = statement<OpenCart, { paramsId: string }>(
  'back_office_open_carts',
  `WITH held AS MATERIALIZED (
     SELECT s.held_by AS id, min(s.hold_until) AS until, sum(s.price_tenge)::float8 AS "totalTenge",
            json_agg(json_build_object('row', r.label, 'seat', s.label) ORDER BY s.position) AS seats
       FROM event_seats s JOIN hall_rows r ON r.id = s.row_id
      WHERE s.event_id = :paramsId AND s.state = 'free' AND s.hold_until > now() AND s.held_by LIKE 'crt!_%' ESCAPE '!'
      GROUP BY s.held_by ORDER BY 2, 1 LIMIT ${MOST}),
   holds AS MATERIALIZED (
     SELECT change ->> 'cart_id' AS id, actor_kind::text AS "actorKind", actor FROM journal
      WHERE event_id = :paramsId AND booking_id IS NULL AND order_id IS NULL
        AND name = 'storefront_held' AND at > now() - interval '1 day')
   SELECT held.*, holds."actorKind", holds.actor FROM held LEFT JOIN holds USING (id) ORDER BY until, id`
)
