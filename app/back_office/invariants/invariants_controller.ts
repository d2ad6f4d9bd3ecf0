import type { InvariantsPage } from '#back_office/invariants/invariants_props'
import { countWorkers } from '#back_office/overview/attention'
import { readBoard } from '#invariants/queries/read_board'
import type { ServerProps } from '#staff_area/page_props'
import type { HttpContext } from '@adonisjs/core/http'

export default class InvariantsController {
  async index({ inertia }: HttpContext) {
    const [invariants, workers] = await Promise.all([readBoard(), countWorkers.one({})])
    return inertia.render('invariants/index', {
      invariants,
      hasWorker: workers.count > 0,
    } satisfies ServerProps<InvariantsPage>)
  }
}
