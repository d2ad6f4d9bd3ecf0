import type { ServerProps } from '#staff_area/page_props'
import { readOnce } from '#staff_area/read_once'
import type {
  BuyersAtRisk,
  ChargedRefusals,
  OverviewPage,
} from '#back_office/overview/overview_props'
import { readFigures } from '#back_office/events/event_figures'
import { readAttention, selectCharged } from '#back_office/overview/attention'
import { readDayFigures } from '#back_office/overview/day_figures'
import { selectAtRisk } from '#back_office/overview/settlement_attention'
import { selectNextEvents } from '#back_office/overview/next_events'
import { sumNumbers } from '#shared/sums'
import { may } from '#staff_area/permissions'
import type { HttpContext } from '@adonisjs/core/http'

export default class OverviewController {
  /** The page asks for parts of itself again: only what a part needs is read. */
  async show({ auth, inertia }: HttpContext) {
    const { role } = auth.use('staff').getUserOrFail()
    const readCharged = readOnce(() => selectCharged({}))
    return inertia.render('overview/show', {
      figures: readDayFigures,
      atRisk: async () => readAtRisk(await readCharged()),
      attention: async () => {
        const attention = await readAttention()
        // What each partner owes is for those who may read settlement.
        return may(role, 'settlement.read')
          ? attention
          : attention.map(({ partners, ...line }) => line)
      },
      charged: readCharged,
      nextEvents: () => selectNextEvents({}),
      seats: inertia.defer(async () => {
        const events = await selectNextEvents({})
        return readFigures(events.map(({ id }) => id))
      }),
    } satisfies ServerProps<OverviewPage>)
  }
}

async function readAtRisk(charged: ChargedRefusals[]): Promise<BuyersAtRisk> {
  const { tenge, cases } = await selectAtRisk.one({})
  return {
    tenge: tenge + sumNumbers(charged, (one) => one.tenge),
    cases,
    orders: sumNumbers(charged, ({ count }) => count),
  }
}
