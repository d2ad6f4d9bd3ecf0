import { CASE_FILTERS } from '#finance/cases/cases_props'
import { listCases } from '#finance/cases/list_cases'
import { sendCsv } from '#staff_area/export'
import { filtersOf } from '#staff_area/lists'
import type { HttpContext } from '@adonisjs/core/http'

export default class CaseExportsController {
  async index(ctx: HttpContext) {
    await sendCsv(ctx, {
      list: 'cases',
      filters: filtersOf(ctx, CASE_FILTERS),
      page: (filters, size) => listCases(filters, ctx.actor.name, size),
      columns: {
        case_id: (one) => one.id,
        occurred_at: (one) => one.occurredAt,
        partner: (one) => one.partner,
        chain: (one) => one.chain.join(' → '),
        severity: (one) => one.severity,
        exposure_tenge: (one) => one.exposureTenge,
        exposure_party: (one) => one.exposureParty,
        fault: (one) => one.fault,
        orders: (one) => one.orders.join(' '),
        state: (one) => one.state,
        owner: (one) => one.owner,
        due_on: (one) => one.dueOn,
        resolution: (one) => one.resolution,
      },
    })
  }
}
