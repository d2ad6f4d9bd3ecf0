import type {
  Grant,
  GrantEvent,
  GrantFilters,
  GrantPartner,
} from '#back_office/grants/grants_props'
import { statement } from '#shared/statement'

/** The page shows at most these; filters find the rest. */
export const MOST_EVENTS = 100
export const MOST_PARTNERS = 50

const EVENT = `id, title, starts_at, event_status(stored_status, sales_start_at, starts_at, now()) AS status, ends_at`
const WANTED = `(:text::text IS NULL OR position(lower(:text) IN lower(title::text)) > 0 OR id = :text)
                AND (:status::text IS NULL OR event_status(stored_status, sales_start_at, starts_at, now()) = :status)`

const selectEvents = statement<GrantEvent, { text: string | null; status: string | null }>(
  'back_office_grant_events',
  `SELECT id, title, starts_at AS "startsAt", status, "isOver" FROM (
     (SELECT ${EVENT}, false AS "isOver" FROM events
       WHERE starts_at > now() - interval '1 year' AND ends_at > now() AND ${WANTED}
       ORDER BY starts_at, id LIMIT ${MOST_EVENTS + 1})
     UNION ALL
     (SELECT ${EVENT}, true FROM events WHERE starts_at <= now() AND ends_at <= now() AND ${WANTED}
       ORDER BY starts_at DESC, id DESC LIMIT ${MOST_EVENTS + 1})
   ) found ORDER BY "isOver", CASE WHEN "isOver" THEN -extract(epoch FROM starts_at) ELSE extract(epoch FROM starts_at) END, id
   LIMIT ${MOST_EVENTS + 1}`
)
const selectPartners = statement<GrantPartner, { partner: string | null }>(
  'back_office_grant_partners',
  `SELECT id, code, name, status FROM partners WHERE :partner::text IS NULL OR code = :partner
    ORDER BY lower(name), code LIMIT ${MOST_PARTNERS + 1}`
)
const selectCells = statement<Grant, { eventIds: string[]; ids: number[] }>(
  'back_office_grant_cells',
  `WITH asked AS MATERIALIZED (SELECT unnest(:eventIds::text[]) AS event_id),
   pending AS MATERIALIZED (
     SELECT partner_id, event_id, count(*)::int AS orders, max(window_ends_at) AS ends FROM orders
      WHERE stored_status = 'pending' AND window_ends_at > now() GROUP BY 1, 2),
   booked AS MATERIALIZED (
     SELECT partner_id, event_id, count(*)::int AS bookings FROM bookings
      WHERE stored_status = 'active' AND expires_at > now() GROUP BY 1, 2)
   SELECT g.partner_id AS "partnerId", g.event_id AS "eventId", g.access, g.updated_at AS "changedAt",
          coalesce(p.orders, 0) AS "pendingOrders", p.ends AS "lastWindowEndsAt", coalesce(b.bookings, 0) AS bookings
     FROM asked JOIN event_grants g ON g.event_id = asked.event_id
     LEFT JOIN pending p ON p.partner_id = g.partner_id AND p.event_id = g.event_id
     LEFT JOIN booked b ON b.partner_id = g.partner_id AND b.event_id = g.event_id
    WHERE g.partner_id = ANY(:ids)`
)

/** The matrix of events and partners, coming events first, with every grant in it. */
export async function listGrants({ q, status, partner }: GrantFilters) {
  const [events, partners] = await Promise.all([
    selectEvents({ text: q, status }),
    selectPartners({ partner }),
  ])
  const shown = {
    events: events.slice(0, MOST_EVENTS),
    partners: partners.slice(0, MOST_PARTNERS),
  }
  const eventIds = shown.events.map(({ id }) => id)
  const cells = await selectCells({ eventIds, ids: shown.partners.map(({ id }) => id) })
  return {
    ...shown,
    cells,
    areEventsCut: events.length > MOST_EVENTS,
    arePartnersCut: partners.length > MOST_PARTNERS,
  }
}
