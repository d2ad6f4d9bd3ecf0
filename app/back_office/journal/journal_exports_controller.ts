import { JOURNAL_FILTERS } from '#back_office/journal/journal_props'
import { listJournal } from '#back_office/journal/list_journal'
import { momentCell, sendCsv } from '#staff_area/export'
import { headingsOf } from '#staff_area/export_headings'
import { filtersOf } from '#staff_area/lists'
import type { HttpContext } from '@adonisjs/core/http'

export default class JournalExportsController {
  async index(ctx: HttpContext) {
    const { id: viewerId } = ctx.auth.use('staff').getUserOrFail()
    await sendCsv(ctx, {
      list: 'journal',
      filters: filtersOf(ctx, JOURNAL_FILTERS),
      page: (filters, size) => listJournal(filters, viewerId, size),
      headings: headingsOf('journal'),
      columns: {
        id: (entry) => entry.id,
        at: (entry) => momentCell(entry.at),
        name: (entry) => entry.name,
        actor_kind: (entry) => entry.actorKind,
        actor: (entry) => entry.actor,
        request_id: (entry) => entry.requestId,
        partner: (entry) => entry.partner,
        event_id: (entry) => entry.eventId,
        event: (entry) => entry.event?.ru ?? null,
        order_id: (entry) => entry.orderId,
        booking_id: (entry) => entry.bookingId,
        change: (entry) => JSON.stringify(entry.change),
      },
    })
  }
}
