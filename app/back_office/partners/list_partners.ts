import type { PartnerFilters, PartnerLine, SalesToday } from '#back_office/partners/partners_props'
import { MIDNIGHT } from '#back_office/partners/midnight'
import { IS_SILENT } from '#back_office/partners/silence'
import { ENDPOINT_HEALTH } from '#back_office/webhooks/shown'
import { statement } from '#shared/statement'

/** The page shows at most these; the search finds the rest. */
export const MOST_PARTNERS = 500

const WEBHOOK = `CASE WHEN w.id IS NOT NULL THEN ${ENDPOINT_HEALTH} END`

const selectPartners = statement<
  PartnerLine,
  { q: string | null; status: string | null; limit: number }
>(
  'back_office_partners',
  `SELECT p.code, p.name, p.status, f.read_at AS "polledAt", ${IS_SILENT} AS "isSilent", ${WEBHOOK} AS webhook
     FROM partners p LEFT JOIN feed_reads f ON f.partner_id = p.id LEFT JOIN webhook_endpoints w ON w.partner_id = p.id
    WHERE (:q::text IS NULL OR position(lower(:q) IN lower(p.name)) > 0 OR position(lower(:q) IN p.code) > 0)
      AND (:status::text IS NULL OR p.status = :status)
    ORDER BY lower(p.name), p.code LIMIT :limit`
)

export async function listPartners({ q, status }: PartnerFilters, most = MOST_PARTNERS) {
  const found = await selectPartners({ q, status, limit: most + 1 })
  return { rows: found.slice(0, most), isCut: found.length > most }
}

// Filters by day first: few orders are of today, and most orders of a partner are older.
const selectSoldToday = statement<SalesToday>(
  'back_office_partners_today',
  `WITH today AS MATERIALIZED (
     SELECT partner_id, payment_amount_tenge FROM orders WHERE created_at >= ${MIDNIGHT})
   SELECT p.code, sold.orders, sold.tenge AS "paidTenge"
     FROM (SELECT partner_id, count(*)::int AS orders, coalesce(sum(payment_amount_tenge), 0)::float8 AS tenge
             FROM today GROUP BY partner_id) sold
     JOIN partners p ON p.id = sold.partner_id`
)

/** By the partner's code. */
export async function soldToday(): Promise<Record<string, SalesToday>> {
  const rows = await selectSoldToday({})
  return Object.fromEntries(rows.map((row) => [row.code, row]))
}
