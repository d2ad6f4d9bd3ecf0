import { listAccounts, readBalances } from '#finance/settlement/list_accounts'
import { readAccount, readPreview } from '#finance/settlement/read_account'
import { readContacts } from '#finance/mails/read_mails'
import { readPrecision } from '#finance/cases/read_precision'
import { readScorecard, thisMonth } from '#finance/settlement/read_scorecard'
import { secondPeople, type SecondPeople } from '#staff_area/second_people'
import { filtersOf } from '#staff_area/lists'
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
    const [account, mailing] = await Promise.all([readAccount(id), readContacts(id)])
    const { email } = ctx.auth.use('staff').getUserOrFail()
    const second = await secondPeopleOf(account.memos, email)
    // Adds up all that is open: a large month takes its time.
    const preview = inertia.defer(() => readPreview(id))
    const scorecard = inertia.defer(() => readScorecard(id, month ?? thisMonth()), 'scorecard')
    const precision = inertia.defer(() => readPrecision(id), 'scorecard')
    const late = { preview, scorecard, precision }
    return inertia.render('settlement/account', {
      partner,
      ...account,
      ...mailing,
      ...late,
      second,
    })
  }
}

interface AskedMemo {
  askedBy: string
  outcome: string | null
}

/** asker → who may approve: of each who has asked for a memo that waits, and of whoever looks. */
async function secondPeopleOf(memos: AskedMemo[], viewer: string) {
  const waiting = memos.filter(({ outcome }) => outcome === null)
  const askers = new Set([viewer, ...waiting.map(({ askedBy }) => askedBy)])
  const second: Record<string, SecondPeople> = {}
  for (const asker of askers) second[asker] = await secondPeople(asker, 'settlement.manage', viewer)
  return second
}
