import type { WithDates } from '#staff_area/page_props'
import type { PlanSeats, SeatPlanPage } from '#back_office/seat_plan/seat_plan_props'
import type { LocalizedText } from '#shared/localized_text'
import { statement } from '#shared/statement'

/** The page's props as PostgreSQL returns them. */
type StoredPlan = Omit<SeatPlanPage, 'event'> & {
  event: WithDates<SeatPlanPage['event'], 'startsAt'>
}

const selectEvent = statement<
  StoredPlan['event'] & { hall: LocalizedText; digest: string | null },
  { eventId: string }
>(
  'back_office_plan_event',
  `SELECT e.id, e.title, e.starts_at AS "startsAt", h.name AS hall, h.plan_digest AS digest,
          event_status(e.stored_status, e.sales_start_at, e.starts_at, now()) AS status
     FROM events e JOIN halls h ON h.id = e.hall_id WHERE e.id = :eventId`
)

/** An event and the hall that its plan shows; undefined when there is no such event. */
export async function readPlan(eventId: string): Promise<StoredPlan | undefined> {
  const found = await selectEvent.first({ eventId })
  if (!found) return undefined
  const { hall: name, digest: planDigest, ...event } = found
  return { event, hall: { name, planDigest } }
}

interface SeatRow {
  spaceId: string
  label: string
  sectorId: number
  rowId: number
  rowLabel: string
  category: string
  priceTenge: number | null
}

// Ordered as in `readStates`, where a seat is known by its index.
const selectSeats = statement<SeatRow, { eventId: string }>(
  'back_office_plan_seats',
  `SELECT s.space_id AS "spaceId", s.label, s.sector_id AS "sectorId", s.row_id AS "rowId", r.label AS "rowLabel",
          s.category_code AS category, s.price_tenge::float8 AS "priceTenge"
     FROM event_seats s JOIN hall_rows r ON r.id = s.row_id
    WHERE s.event_id = :eventId ORDER BY s.sector_id, s.position`
)
const selectSectors = statement<
  { id: number; code: string; name: LocalizedText },
  { eventId: string }
>(
  'back_office_plan_sectors',
  `SELECT s.id, s.public_id AS code, s.name FROM events e JOIN sectors s ON s.hall_id = e.hall_id
    WHERE e.id = :eventId ORDER BY s.position, s.id`
)
const selectCategories = statement<{ code: string; name: LocalizedText }, { eventId: string }>(
  'back_office_plan_categories',
  'SELECT category_code AS code, category_name AS name FROM event_prices WHERE event_id = :eventId ORDER BY price_tenge DESC NULLS LAST'
)

export async function readPlanSeats(eventId: string): Promise<PlanSeats> {
  const [seats, sectors, named] = await Promise.all([
    selectSeats({ eventId }),
    selectSectors({ eventId }),
    selectCategories({ eventId }),
  ])
  const sectorAt = new Map(sectors.map(({ id }, place) => [id, place]))
  const rowAt = new Map<number, number>()
  const rows: PlanSeats['rows'] = []
  const categories: PlanSeats['categories'] = [...named]
  const placeOfRow = ({ rowId, rowLabel, sectorId }: SeatRow) => {
    const known = rowAt.get(rowId)
    if (known !== undefined) return known
    rowAt.set(rowId, rows.length)
    return rows.push({ label: rowLabel, sector: sectorAt.get(sectorId)! }) - 1
  }
  const placeOfCategory = ({ category }: SeatRow) => {
    const known = categories.findIndex(({ code }) => code === category)
    return known === -1 ? categories.push({ code: category, name: null }) - 1 : known
  }
  const lines = seats.map((seat): PlanSeats['seats'][number] => [
    seat.spaceId,
    seat.label,
    placeOfRow(seat),
    placeOfCategory(seat),
    seat.priceTenge,
  ])
  return {
    sectors: sectors.map(({ code, name }) => ({ code, name })),
    rows,
    categories,
    seats: lines,
  }
}
