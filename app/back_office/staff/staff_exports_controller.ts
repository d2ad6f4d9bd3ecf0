import { momentCell, sendCsv, singlePage } from '#staff_area/export'
import { headingsOf } from '#staff_area/export_headings'
import { filtersOf } from '#staff_area/lists'
import { listStaff } from '#back_office/staff/list_staff'
import { STAFF_FILTERS } from '#back_office/staff/staff_props'
import type { HttpContext } from '@adonisjs/core/http'

export default class StaffExportsController {
  async index(ctx: HttpContext) {
    await sendCsv(ctx, {
      list: 'staff',
      filters: filtersOf(ctx, STAFF_FILTERS),
      page: async (filters) => singlePage(await listStaff(filters)),
      headings: headingsOf('staff'),
      columns: {
        email: (person) => person.email,
        name: (person) => person.name,
        role: (person) => person.role,
        status: (person) => person.status,
        second_factor: (person) => person.hasSecondFactor,
        sign_in_blocked_until: (person) => momentCell(person.signIn.blockedUntil),
        second_factor_locked_at: (person) => momentCell(person.signIn.factorLockedAt),
        last_seen_at: (person) => momentCell(person.lastSeenAt),
        created_at: (person) => momentCell(person.createdAt),
      },
    })
  }
}
