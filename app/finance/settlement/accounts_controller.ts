import platform from '#config/platform'
import {
  listAccounts,
  MOST_ACCOUNTS,
  readBalances,
  sumAccounts,
} from '#finance/settlement/list_accounts'
import { existingPaymentOf } from '#finance/settlement/existing_payment'
import { listSamePayments, readersOfAccount, readPreview } from '#finance/settlement/read_account'
import { readAgeing } from '#finance/settlement/read_open_items'
import { mailingOf } from '#finance/mails/read_mails'
import { readPrecision } from '#finance/cases/read_precision'
import { readScorecard, thisMonth } from '#finance/settlement/read_scorecard'
import {
  ACCOUNT_FILTERS,
  SAME_BY,
  type AccountPage,
  type MemoLine,
  type SettlementPage,
} from '#finance/settlement/settlement_props'
import { secondPeople, type SecondPeople } from '#staff_area/second_people'
import { filtersOf } from '#staff_area/lists'
import type { ServerProps } from '#staff_area/page_props'
import { readOnce } from '#staff_area/read_once'
import { currentIssuer } from '#ledger/actions/set_issuer'
import { transaction } from '#shared/transaction'
import { findPartner } from '#partners/queries/find_partner'
import type { HttpContext } from '@adonisjs/core/http'

export default class AccountsController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, ['q'])
    const sums = readOnce(() => sumAccounts.one(filters))
    return ctx.inertia.render('settlement/index', {
      filters,
      accounts: () => listAccounts(filters.q, MOST_ACCOUNTS),
      count: () => sums().then(({ count }) => count),
      totals: async () => {
        const { count, ...totals } = await sums()
        return totals
      },
      hasIssuer: async () => (await transaction(currentIssuer)) !== null,
      balances: ctx.inertia.defer(() => readBalances(filters.q)),
      ageing: ctx.inertia.defer(() => readAgeing(filters.q)),
    } satisfies ServerProps<SettlementPage>)
  }

  async show(ctx: HttpContext) {
    const { inertia, params } = ctx
    const filters = filtersOf(ctx, ACCOUNT_FILTERS)
    const { id, ...partner } = await findPartner(String(params.code))
    const account = readersOfAccount(id, filters)
    const { commissionBp, vatBp } = platform.singlePersonLimits
    const { email } = ctx.auth.use('staff').getUserOrFail()
    return inertia.render('settlement/account', {
      partner,
      filters,
      ...account,
      ...mailingOf(id),
      existingPayment: existingPaymentOf(ctx),
      samePayments: inertia.optional(() => listSamePayments(id, filtersOf(ctx, SAME_BY))),
      second: async () =>
        secondPeopleOf({ memos: await account.memos(), requests: await account.requests() }, email),
      highRates: { commissionBp, vatBp },
      // Adds up all open movements: a large month takes seconds.
      preview: inertia.defer(() => readPreview(id)),
      scorecard: inertia.defer(() => readScorecard(id, filters.month ?? thisMonth()), 'scorecard'),
      precision: inertia.defer(() => readPrecision(id), 'scorecard'),
    } satisfies ServerProps<AccountPage>)
  }
}

interface Asked {
  memos: { rows: Pick<MemoLine, 'askedBy' | 'outcome'>[] }
  requests: { askedBy: string }[]
}

/** Who may approve what somebody asks for, by the asker's email: for all that is undecided, and for the viewer. */
async function secondPeopleOf({ memos, requests }: Asked, viewer: string) {
  const waiting = [...memos.rows.filter(({ outcome }) => outcome === null), ...requests]
  const askers = new Set([viewer, ...waiting.map(({ askedBy }) => askedBy)])
  const second: Record<string, SecondPeople> = {}
  for (const asker of askers) second[asker] = await secondPeople(asker, 'settlement.manage', viewer)
  return second
}
