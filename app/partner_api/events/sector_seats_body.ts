import type { CategoryCode } from '#catalog/event_status'
import { findSector, listSectorSeats, type SeatRow } from '#inventory/queries/seat_reads'
import { FreshRead } from '#shared/fresh_read'
import type { LocalizedText } from '#shared/localized_text'

const bodies = new FreshRead<Buffer | undefined>()

/**
 * The answer for a sector's seats as bytes, read anew for whoever asks and shared by those who ask at once;
 * undefined when the hall has no such sector. Rendered once for all of them: it's the largest answer there is.
 */
export function sectorSeatsBody(eventId: string, sectorId: string, category: CategoryCode | null) {
  return bodies.read(`${eventId}:${category}:${sectorId}`, async () => {
    const sector = isStorable(sectorId) ? await findSector(eventId, sectorId) : undefined
    if (!sector) return undefined
    const seats = await listSectorSeats(eventId, sector.id, category)
    const data = seats.map((seat) => presentSeat(seat, sectorId, sector.category_names))
    const meta = { total: data.length, limit: data.length, offset: 0 }
    return Buffer.from(JSON.stringify({ data, meta }))
  })
}

const isStorable = (text: string) => text.length <= 200 && !text.includes('\0')

function presentSeat(seat: SeatRow, sectorId: string, names: Record<string, LocalizedText>) {
  return {
    space_id: seat.space_id,
    sector_id: sectorId,
    row_id: seat.row_id,
    row_label: seat.row_label,
    seat_label: seat.seat_label,
    status: seat.status,
    is_sellable: seat.status === 'free' && seat.price_tenge !== null,
    category_code: seat.category_code,
    category_name: names[seat.category_code] ?? { ru: seat.category_code },
    price_tenge: seat.price_tenge === null ? null : Number(seat.price_tenge),
  }
}
