import { listAccounts, readBalances } from '#back_office/settlement/list_accounts'
import { readAccount, readPreview } from '#back_office/settlement/read_account'
import { readPrecision } from '#back_office/cases/read_precision'
import { readScorecard, thisMonth } from '#back_office/settlement/read_scorecard'
import { filtersOf } from '#back_office/shell/lists'
import { findPartner } from '#partners/queries/find_partner'
import type { HttpContext } from '@adonisjs/core/http'

export default class AccountsController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, ['q'])
    const accounts = await listAccounts(filters.q)
    const balances = ctx.inertia.defer(() => readBalances())
    return ctx.inertia.render('settlement/index', { filters, accounts, balances })
  }

  async show(ctx: HttpContext) {
    const { inertia, params } = ctx
    const { month } = filtersOf(ctx, ['month'])
    const { id, ...partner } = await findPartner(String(params.code))
    const account = await readAccount(id)
    // Adds up all that is open: a large month takes its time.
    const preview = inertia.defer(() => readPreview(id))
    const scorecard = inertia.defer(() => readScorecard(id, month ?? thisMonth()), 'scorecard')
    const precision = inertia.defer(() => readPrecision(id), 'scorecard')
    const late = { preview, scorecard, precision }
    return inertia.render('settlement/account', { partner, ...account, ...late })
  }
}
