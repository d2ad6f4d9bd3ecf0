import { listAccounts, readBalances } from '#back_office/settlement/list_accounts'
import { findAccountPartner, readAccount, readPreview } from '#back_office/settlement/read_account'
import { readContacts } from '#back_office/mails/read_mails'
import { filtersOf } from '#back_office/shell/lists'
import type { HttpContext } from '@adonisjs/core/http'

export default class AccountsController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, ['q'])
    const accounts = await listAccounts(filters.q)
    const balances = ctx.inertia.defer(() => readBalances())
    return ctx.inertia.render('settlement/index', { filters, accounts, balances })
  }

  async show({ inertia, params }: HttpContext) {
    const { id, ...partner } = await findAccountPartner(String(params.code))
    const [account, mailing] = await Promise.all([readAccount(id), readContacts(id)])
    // Adds up all that is open: a large month takes its time.
    const preview = inertia.defer(() => readPreview(id))
    return inertia.render('settlement/account', { partner, ...account, ...mailing, preview })
  }
}
