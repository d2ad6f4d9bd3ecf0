import { listPartners, soldToday } from '#back_office/partners/list_partners'
import { PARTNER_FILTERS, type PartnerFilters } from '#back_office/partners/partners_props'
import { momentCell, sendCsv, singlePage } from '#staff_area/export'
import { headingsOf } from '#staff_area/export_headings'
import { filtersOf } from '#staff_area/lists'
import type { HttpContext } from '@adonisjs/core/http'

/** More than the page shows. */
const MOST = 100_000

export default class PartnerExportsController {
  async index(ctx: HttpContext) {
    await sendCsv(ctx, {
      list: 'partners',
      filters: filtersOf(ctx, PARTNER_FILTERS),
      page: partnersWithSales,
      headings: headingsOf('partners'),
      columns: {
        code: (partner) => partner.code,
        name: (partner) => partner.name,
        status: (partner) => partner.status,
        orders_today: (partner) => partner.today?.orders ?? 0,
        paid_today_tenge: (partner) => partner.today?.paidTenge ?? 0,
        feed_read_at: (partner) => momentCell(partner.polledAt),
        is_silent: (partner) => partner.isSilent,
        webhook: (partner) => partner.webhook,
      },
    })
  }
}

async function partnersWithSales(filters: PartnerFilters) {
  const [{ rows }, today] = await Promise.all([listPartners(filters, MOST), soldToday()])
  return singlePage(rows.map((partner) => ({ ...partner, today: today[partner.code] })))
}
