import { CASE_FILTERS, type CaseLine } from '#finance/cases/cases_props'
import { listCases } from '#finance/cases/list_cases'
import { momentCell, sendCsv } from '#staff_area/export'
import { headingsOf } from '#staff_area/export_headings'
import { filtersOf } from '#staff_area/lists'
import type { ExposedParty } from '#defects/facts/exposure'
import type { HttpContext } from '@adonisjs/core/http'

export default class CaseExportsController {
  async index(ctx: HttpContext) {
    await sendCsv(ctx, {
      list: 'cases',
      filters: filtersOf(ctx, CASE_FILTERS),
      page: (filters, size) => listCases(filters, ctx.actor.name, size),
      headings: headingsOf('cases'),
      columns: {
        case_id: (one) => one.id,
        occurred_at: (one) => momentCell(one.occurredAt),
        partner: (one) => one.partner,
        chain: (one) => one.chain.join(' → '),
        severity: (one) => one.severity,
        open_buyer_tenge: (one) => openTenge(one, 'buyer'),
        open_platform_tenge: (one) => openTenge(one, 'platform'),
        open_partner_tenge: (one) => openTenge(one, 'partner'),
        upper_bound_tenge: (one) => (one.isOpen ? one.upToTenge : 0),
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

/** Nothing is at risk in a case that ended, so that the column adds up to the open exposure. */
const openTenge = ({ exposure, isOpen }: CaseLine, party: ExposedParty) =>
  isOpen ? exposure[party] : 0
