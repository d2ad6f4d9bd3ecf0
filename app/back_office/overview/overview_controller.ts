import type { ServerProps } from '#staff_area/page_props'
import type { OverviewPage } from '#back_office/overview/overview_props'
import { readAttention, selectCharged } from '#back_office/overview/attention'
import { latestJournal, readOverview } from '#back_office/overview/overview'
import { selectBestEvents, selectSalesByHour, selectSoonest } from '#back_office/overview/sales'
import { may } from '#staff_area/permissions'
import type { HttpContext } from '@adonisjs/core/http'

const LINES = 12

export default class OverviewController {
  async show({ auth, inertia }: HttpContext) {
    const { role } = auth.use('staff').getUserOrFail()
    const [overview, attention, charged, hours, best, soonest, journal] = await Promise.all([
      readOverview(),
      readAttention(),
      selectCharged({}),
      selectSalesByHour({}),
      selectBestEvents({}),
      selectSoonest({}),
      may(role, 'journal.read') ? latestJournal({ lines: LINES }) : null,
    ])
    return inertia.render('overview/show', {
      ...overview,
      attention,
      charged,
      sales: { hours, best },
      soonest,
      journal,
    } satisfies ServerProps<OverviewPage>)
  }
}
