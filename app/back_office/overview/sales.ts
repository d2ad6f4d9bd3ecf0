import type { EventSales, SalesHour, SoonEvent } from '#back_office/overview/overview_props'
import { statement } from '#shared/statement'

export const selectSalesByHour = statement<SalesHour>(
  'back_office_sales_by_hour',
  `SELECT date_trunc('hour', o.confirmed_at) AS hour, p.name AS partner, sum(o.total_tenge)::float8 AS tenge,
          count(*)::int AS orders
     FROM orders o JOIN partners p ON p.id = o.partner_id
    WHERE o.created_at > now() - interval '25 hours' AND o.confirmed_at >= date_trunc('hour', now()) - interval '23 hours'
    GROUP BY 1, 2 ORDER BY 1, 2`
)

export const selectBestEvents = statement<EventSales>(
  'back_office_best_events',
  `SELECT e.id, e.title, e.starts_at AS "startsAt", sold.tenge::float8 AS tenge, sold.tickets::int AS tickets
     FROM (SELECT o.event_id, sum(o.total_tenge) AS tenge,
                  sum((SELECT count(*) FROM booking_seats b WHERE b.booking_id = o.booking_id)) AS tickets
             FROM orders o
            WHERE o.created_at > now() - interval '24 hours' AND o.confirmed_at IS NOT NULL
            GROUP BY 1 ORDER BY 2 DESC LIMIT 5) sold JOIN events e ON e.id = sold.event_id ORDER BY 4 DESC`
)

export const selectSoonest = statement<SoonEvent>(
  'back_office_soonest_events',
  `SELECT id, title, starts_at AS "startsAt", event_status(stored_status, sales_start_at, starts_at, now()) AS status
     FROM events WHERE starts_at BETWEEN now() AND now() + interval '3 days' ORDER BY starts_at, id LIMIT 5`
)
