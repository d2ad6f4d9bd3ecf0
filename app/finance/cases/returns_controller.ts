import { RETURN_FILTERS, type PartnerReturns, type ReturnsPage } from '#finance/cases/cases_props'
import { listCases } from '#finance/cases/list_cases'
import { isOpenCase } from '#defects/cases/open_exposure'
import { statement } from '#shared/statement'
import { filtersOf } from '#staff_area/lists'
import type { ServerProps } from '#staff_area/page_props'
import { partnerChoices } from '#staff_area/partner_choices'
import type { HttpContext } from '@adonisjs/core/http'

const selectReturns = statement<PartnerReturns>(
  'back_office_returns',
  `SELECT p.code, p.name, count(*)::int AS cases, sum(c.buyer_tenge)::float8 AS tenge,
          coalesce(sum(c.buyer_tenge) FILTER (WHERE c.owner_id IS NULL), 0)::float8 AS "unownedTenge", min(c.occurred_at) AS since
     FROM settlement_cases c JOIN partners p ON p.id = c.partner_id
    WHERE ${isOpenCase('c')} AND c.buyer_tenge > 0
    GROUP BY p.id ORDER BY 4 DESC, p.name`
)

/** Every filter of the list of cases that this page has not. */
const NO_OTHERS = { q: null, code: null, severity: null, state: null, from: null, to: null }

/** What buyers have paid without a ticket and somebody has to return, from the open cases alone. */
export default class ReturnsController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, RETURN_FILTERS)
    const asked = { ...NO_OTHERS, ...filters, party: 'BUYER', sort: filters.sort ?? 'buyer' }
    const [cases, returns, partners] = await Promise.all([
      listCases(asked, ctx.actor.name),
      selectReturns({}),
      partnerChoices({}),
    ])
    return ctx.inertia.render('cases/returns', {
      filters,
      cases,
      returns,
      partners,
    } satisfies ServerProps<ReturnsPage>)
  }
}
