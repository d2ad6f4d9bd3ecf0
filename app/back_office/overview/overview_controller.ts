import type { ServerProps } from '#staff_area/page_props'
import type { OverviewPage } from '#back_office/overview/overview_props'
import { readFigures } from '#back_office/events/event_figures'
import { readAttention, selectCharged } from '#back_office/overview/attention'
import { readDayFigures } from '#back_office/overview/day_figures'
import { selectAtRisk } from '#back_office/overview/settlement_attention'
import { selectNextEvents } from '#back_office/overview/next_events'
import { sumNumbers } from '#shared/sums'
import { may } from '#staff_area/permissions'
import type { HttpContext } from '@adonisjs/core/http'

export default class OverviewController {
  async show({ auth, inertia }: HttpContext) {
    const { role } = auth.use('staff').getUserOrFail()
    const seesPartners = may(role, 'settlement.read')
    const [figures, attention, charged, inCases, nextEvents] = await Promise.all([
      readDayFigures(),
      readAttention(),
      selectCharged({}),
      selectAtRisk.one({}),
      selectNextEvents({}),
    ])
    const ids = nextEvents.map(({ id }) => id)
    return inertia.render('overview/show', {
      figures,
      atRisk: {
        tenge: inCases.tenge + sumNumbers(charged, ({ tenge }) => tenge),
        cases: inCases.cases,
        orders: sumNumbers(charged, ({ count }) => count),
      },
      // What each partner owes is for those who may read settlement.
      attention: seesPartners ? attention : attention.map(({ partners, ...line }) => line),
      charged,
      nextEvents,
      seats: inertia.defer(() => readFigures(ids)),
    } satisfies ServerProps<OverviewPage>)
  }
}
