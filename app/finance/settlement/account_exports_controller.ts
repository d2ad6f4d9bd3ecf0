import { listAccounts, readBalances } from '#finance/settlement/list_accounts'
import { readAgeing } from '#finance/settlement/read_open_items'
import type { AccountLine } from '#finance/settlement/settlement_props'
import { sendCsv, singlePage } from '#staff_area/export'
import { headingsOf } from '#staff_area/export_headings'
import { filtersOf } from '#staff_area/lists'
import { statementNumber } from '#ledger/statement_status'
import type { HttpContext } from '@adonisjs/core/http'

export default class AccountExportsController {
  /** The list of accounts as it is shown, with open items by age and a last line of totals. */
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, ['q'])
    const [balances, ageing] = await Promise.all([readBalances(filters.q), readAgeing(filters.q)])
    const openOf = ({ code }: Pick<AccountLine, 'code'>) => ageing.byCode[code]
    await sendCsv(ctx, {
      list: 'settlement',
      filters,
      page: async ({ q }) => singlePage(await listAccounts(q)),
      headings: headingsOf('settlement'),
      columns: {
        partner: (one) => one.code,
        name: (one) => one.name,
        balance_tenge: (one) => balances.byCode[one.code] ?? 0,
        debits_tenge: (one) => openOf(one)?.debits.total ?? 0,
        debits_to_30_days_tenge: (one) => openOf(one)?.debits.to30 ?? 0,
        debits_to_60_days_tenge: (one) => openOf(one)?.debits.to60 ?? 0,
        debits_to_90_days_tenge: (one) => openOf(one)?.debits.to90 ?? 0,
        debits_over_90_days_tenge: (one) => openOf(one)?.debits.over90 ?? 0,
        credits_tenge: (one) => openOf(one)?.credits.total ?? 0,
        last_statement: (one) => (one.number === null ? null : statementNumber(one.number)),
        closed_until: (one) => one.closedUntil,
        status: (one) => one.status,
        payment_status: (one) => one.paymentStatus,
        closing_tenge: (one) => one.closingTenge,
        overdue_statements: (one) => one.overdue?.statements ?? 0,
        pay_by: (one) => one.overdue?.payBy ?? null,
        overdue_tenge: (one) => one.overdue?.tenge ?? 0,
        open_cases: (one) => one.openCases,
        open_buyer_tenge: (one) => one.exposure.buyer,
        open_platform_tenge: (one) => one.exposure.platform,
        open_partner_tenge: (one) => one.exposure.partner,
      },
      totals: {
        label: 'name',
        of: [
          'balance_tenge',
          'debits_tenge',
          'debits_to_30_days_tenge',
          'debits_to_60_days_tenge',
          'debits_to_90_days_tenge',
          'debits_over_90_days_tenge',
          'credits_tenge',
          'closing_tenge',
          'overdue_statements',
          'overdue_tenge',
          'open_cases',
          'open_buyer_tenge',
          'open_platform_tenge',
          'open_partner_tenge',
        ],
      },
    })
  }
}
