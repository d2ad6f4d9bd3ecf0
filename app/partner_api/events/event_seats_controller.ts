import { CATEGORY_CODES } from '#catalog/event_status'
import { sectorSeatsBody } from '#partner_api/events/sector_seats_body'
import { answer, answerBytes } from '#partner_api/envelope'
import { enumValue, readQuery } from '#partner_api/validation'
import { findGrantedEvent } from '#partners/queries/find_granted_event'
import { summariseSectors, type SectorSummaryRow } from '#inventory/queries/seat_reads'
import { refuse, refuseField } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

export default class EventSeatsController {
  async index(ctx: HttpContext) {
    const { sector, category: sent } = readQuery(ctx.request.request.url!)
    const category = enumValue('category', sent, CATEGORY_CODES, { category: sent })
    if (ctx.partner.isSuspended) refuse('PARTNER_DISABLED')
    const { id: eventId } = await findGrantedEvent(ctx.partner.id, ctx.params.event_id)
    if (sector === undefined) {
      const summaries = await summariseSectors(eventId, category)
      const sectors = summaries.map(presentSummary)
      return answer(ctx, sectors, { total: sectors.length, limit: sectors.length, offset: 0 })
    }

    const body = await sectorSeatsBody(eventId, sector, category)
    if (!body)
      refuseField('sector', 'exists', 'The hall of this event has no such sector', { sector })
    return answerBytes(ctx, body)
  }
}

const presentSummary = ({ price_from_tenge: from, ...sector }: SectorSummaryRow) => ({
  sector_id: sector.sector_id,
  name: sector.name,
  price_from_tenge: from === null ? null : Number(from),
  free_seats: sector.free_seats,
  total_seats: sector.total_seats,
})
