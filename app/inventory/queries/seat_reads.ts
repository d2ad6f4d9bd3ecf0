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

const selectSummary = statement<SectorSummaryRow>(
  'sector_summary',
  `SELECT s.public_id AS sector_id, s.name, counted.*
     FROM (SELECT sector_id AS id, min(price_tenge) AS price_from_tenge, count(*)::int AS total_seats,
                  (count(*) FILTER (WHERE seat_status(state, hold_until, now()) = 'free'))::int AS free_seats
             FROM event_seats
            WHERE event_id = $1 AND ($2::text IS NULL OR category_code = $2)
            GROUP BY sector_id) counted
     JOIN sectors s USING (id)
    ORDER BY s.position, s.id`
)

const summaries = new FreshRead<SectorSummaryRow[]>()

/** Per sector the lowest price and the number of free seats, of one category when given. */
export function summariseSectors(eventId: string, category: CategoryCode | null) {
  return summaries.read(`${eventId}:${category}`, () => selectSummary([eventId, category]))
}

export interface SeatRow {
  space_id: string
  row_id: string
  row_label: string
  seat_label: string
  category_code: CategoryCode
  price_tenge: bigint | null
  status: 'free' | 'held' | 'sold' | 'blocked'
}

const selectSeats = statement<SeatRow>(
  'sector_seats',
  `SELECT s.space_id, r.public_id AS row_id, r.label AS row_label, s.label AS seat_label,
          s.category_code, s.price_tenge, seat_status(s.state, s.hold_until, now()) AS status
     FROM event_seats s JOIN hall_rows r ON r.id = s.row_id
    WHERE s.event_id = $1 AND s.sector_id = $2 AND ($3::text IS NULL OR s.category_code = $3)
    ORDER BY s.position`
)

/** The live seats of one sector, in the order of the hall plan. */
export const listSectorSeats = (eventId: string, sectorId: number, category: CategoryCode | null) =>
  selectSeats([eventId, sectorId, category])

interface SectorRow {
  id: number
  category_names: Record<string, LocalizedText>
}

const selectSector = statement<SectorRow>(
  'event_sector',
  `SELECT s.id, coalesce((SELECT jsonb_object_agg(p.category_code, p.category_name)
                            FROM event_prices p WHERE p.event_id = e.id), '{}') AS category_names
     FROM events e JOIN sectors s ON s.hall_id = e.hall_id
    WHERE e.id = $1 AND s.public_id = $2`
)

/** The sector of the event's hall, with the event's category names; undefined when the hall has no such sector. */
export const findSector = (eventId: string, sectorId: string) =>
  selectSector.first([eventId, sectorId])
