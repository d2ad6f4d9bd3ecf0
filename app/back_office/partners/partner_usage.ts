import type { PartnerUsage } from '#back_office/partners/partners_props'
import { MIDNIGHT } from '#back_office/partners/midnight'
import { statement } from '#shared/statement'

const selectUsage = statement<PartnerUsage, { partnerId: number }>(
  'back_office_partner_usage',
  `WITH today AS MATERIALIZED (
     SELECT partner_id, stored_status, window_ends_at, total_tenge FROM orders WHERE created_at >= ${MIDNIGHT})
   SELECT order_status_at(now(), stored_status, window_ends_at) AS name,
          count(*)::int AS count, sum(total_tenge)::float8 AS "totalTenge"
     FROM today WHERE partner_id = :partnerId GROUP BY 1 ORDER BY 2 DESC`
)

/** The partner's orders of today by status. */
export const readUsage = (partnerId: number) => selectUsage({ partnerId })
