import type { ServerProps } from '#staff_area/page_props'
import { JOURNAL_FILTERS, type JournalPage } from '#back_office/journal/journal_props'
import { listJournal } from '#back_office/journal/list_journal'
import { partnerChoices } from '#staff_area/partner_choices'
import { filtersOf } from '#staff_area/lists'
import type { HttpContext } from '@adonisjs/core/http'

export default class JournalController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, JOURNAL_FILTERS)
    const [journal, partners] = await Promise.all([listJournal(filters), partnerChoices({})])
    return ctx.inertia.render('journal/index', {
      filters,
      journal,
      partners,
    } satisfies ServerProps<JournalPage>)
  }
}
