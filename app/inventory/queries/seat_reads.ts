import type { CategoryCode } from '#catalog/event_status'
import { FreshRead } from '#shared/fresh_read'
import type { LocalizedText } from '#shared/localized_text'
import { statement } from '#shared/statement'

export interface SectorSummaryRow {
  sector_id: string
  name: LocalizedText
  price_from_tenge: bigint | null
  free_seats: number
  total_seats: number
}

const selectSummary = statement<SectorSummaryRow, { eventId: string; category: string | null }>(
  'sector_summary',
  `SELECT s.public_id AS sector_id, s.name, counted.*
     FROM (SELECT sector_id AS id, min(price_tenge) AS price_from_tenge, count(*)::int AS total_seats,
                  (count(*) FILTER (WHERE seat_status(state, hold_until, now()) = 'free'))::int AS free_seats
             FROM event_seats
            WHERE event_id = :eventId AND (:category::text IS NULL OR category_code = :category)
            GROUP BY sector_id) counted
     JOIN sectors s USING (id)
    ORDER BY s.position, s.id`
)

const summaries = new FreshRead<SectorSummaryRow[]>()

/** The lowest price and the number of free seats of each sector, of one category if it is given. */
export function summariseSectors(eventId: string, category: CategoryCode | null) {
  return summaries.read(`${eventId}:${category}`, () => selectSummary({ eventId, category }))
}

/** The columns of a seat that never change; a trigger of the table enforces it. */
export interface SeatLayout {
  space_id: string
  row_id: string
  row_label: string
  seat_label: string
  category_code: CategoryCode
}

const selectLayout = statement<SeatLayout, { eventId: string; sectorId: number }>(
  'sector_layout',
  `SELECT s.space_id, r.public_id AS row_id, r.label AS row_label, s.label AS seat_label, s.category_code
     FROM event_seats s JOIN hall_rows r ON r.id = s.row_id
    WHERE s.event_id = :eventId AND s.sector_id = :sectorId
    ORDER BY s.position`
)

/** The seats of one sector, in the order of the hall plan. */
export const listSectorLayout = (eventId: string, sectorId: number) =>
  selectLayout({ eventId, sectorId })

export interface SectorState {
  id: number
  category_names: Record<string, LocalizedText>
  /** Per seat, in the order of the layout: the first letter of its status, then its price if it has one. */
  seats: string
}

const selectSector = statement<SectorState, { eventId: string; sectorId: string }>(
  'sector_now',
  `SELECT s.id, coalesce((SELECT jsonb_object_agg(p.category_code, p.category_name)
                            FROM event_prices p WHERE p.event_id = e.id), '{}') AS category_names,
          coalesce((SELECT string_agg(left(seat_status(state, hold_until, now()), 1) || coalesce(price_tenge::text, ''),
                                      ',' ORDER BY seat.position)
                      FROM event_seats seat WHERE event_id = e.id AND sector_id = s.id), '') AS seats
     FROM events e JOIN sectors s ON s.hall_id = e.hall_id
    WHERE e.id = :eventId AND s.public_id = :sectorId`
)

/** The current states and prices of a sector's seats; undefined when the hall has no such sector. */
export const findSectorState = (eventId: string, sectorId: string) =>
  selectSector.first({ eventId, sectorId })
