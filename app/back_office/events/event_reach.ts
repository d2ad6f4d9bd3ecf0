import type { EventReach, PartnerSales } from '#back_office/events/events_props'
import { VOIDED_BY_CANCELLATION } from '#sales/cancel_event/cancel_event'
import platform from '#config/platform'
import { statement } from '#shared/statement'

const countReach = statement<EventReach, { eventId: string; sendsWebhooks: boolean }>(
  'back_office_event_reach',
  `SELECT (SELECT count(*)::int FROM event_grants WHERE event_id = :eventId AND access = 'active') AS partners,
          (SELECT count(*)::int FROM event_grants g JOIN webhook_endpoints w USING (partner_id)
            WHERE g.event_id = :eventId AND w.status = 'active' AND :sendsWebhooks::boolean) AS webhooks,
          (SELECT count(*)::int FROM bookings
            WHERE event_id = :eventId AND stored_status = 'active' AND expires_at > now()) AS "activeBookings",
          (SELECT count(*)::int FROM orders
            WHERE event_id = :eventId AND stored_status = 'pending' AND window_ends_at > now()) AS "pendingOrders"`
)

const selectSales = statement<PartnerSales, { eventId: string }>(
  'back_office_event_sales',
  `SELECT p.code, p.name, g.access, coalesce(s.orders, 0) AS orders, coalesce(s.valid, 0) AS valid,
          coalesce(s.used, 0) AS used, coalesce(s.void, 0) AS void,
          coalesce(s."soldTenge", 0) AS "soldTenge", coalesce(s.voidable, 0) AS voidable, coalesce(s."voidableTenge", 0) AS "voidableTenge"
     FROM event_grants g JOIN partners p ON p.id = g.partner_id
     LEFT JOIN (
       SELECT o.partner_id, count(DISTINCT o.id)::int AS orders,
              (count(*) FILTER (WHERE t.status = 'active'))::int AS valid,
              (count(*) FILTER (WHERE t.status = 'used'))::int AS used,
              (count(*) FILTER (WHERE t.status = 'void'))::int AS void,
              coalesce(sum(t.price_tenge) FILTER (WHERE t.status <> 'void'), 0)::float8 AS "soldTenge",
              (count(*) FILTER (WHERE ${VOIDED_BY_CANCELLATION}))::int AS voidable,
              coalesce(sum(t.price_tenge) FILTER (WHERE ${VOIDED_BY_CANCELLATION}), 0)::float8 AS "voidableTenge"
         FROM orders o JOIN tickets t ON t.order_id = o.id WHERE o.event_id = :eventId GROUP BY o.partner_id) s
       ON s.partner_id = g.partner_id
    WHERE g.event_id = :eventId ORDER BY "soldTenge" DESC, p.name`
)

export const readReach = (eventId: string) =>
  countReach.one({ eventId, sendsWebhooks: platform.contractPhase === 2 })
export const readSales = (eventId: string) => selectSales({ eventId })
