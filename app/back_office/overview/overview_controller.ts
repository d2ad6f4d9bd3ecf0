import { latestJournal, readOverview } from '#back_office/overview/overview'
import { may } from '#back_office/permissions'
import type { HttpContext } from '@adonisjs/core/http'

const LINES = 12

export default class OverviewController {
  async show({ auth, inertia }: HttpContext) {
    const { role } = auth.use('staff').getUserOrFail()
    const [overview, journal] = await Promise.all([
      readOverview(),
      may(role, 'journal.read') ? latestJournal([LINES]) : null,
    ])
    return inertia.render('overview/show', { ...overview, journal })
  }
}
