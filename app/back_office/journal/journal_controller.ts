import type { ServerProps } from '#staff_area/page_props'
import { colleagueChoices } from '#back_office/journal/colleague_choices'
import { JOURNAL_FILTERS, type JournalPage } from '#back_office/journal/journal_props'
import { listJournal } from '#back_office/journal/list_journal'
import { titleOfEvent } from '#staff_area/event_title'
import { partnerChoices } from '#staff_area/partner_choices'
import { filtersOf } from '#staff_area/lists'
import type { HttpContext } from '@adonisjs/core/http'

export default class JournalController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, JOURNAL_FILTERS)
    const { id: viewerId } = ctx.auth.use('staff').getUserOrFail()
    const [journal, partners, colleagues, event] = await Promise.all([
      listJournal(filters, viewerId),
      partnerChoices({}),
      colleagueChoices({}),
      filters.event ? titleOfEvent.first({ event: filters.event }) : undefined,
    ])
    return ctx.inertia.render('journal/index', {
      filters,
      journal,
      partners,
      colleagues,
      event: event?.title ?? null,
    } satisfies ServerProps<JournalPage>)
  }
}
