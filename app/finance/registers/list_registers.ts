import { localDay } from '#shared/days'
import type { RegisterLine } from '#finance/registers/registers_props'
import type { WithDates } from '#staff_area/page_props'
import { periodAround } from '#ledger/periods'
import { findTermsAt } from '#ledger/terms'
import { REGISTER_DAYS } from '#reconciliation/store/name_registers'
import { statement } from '#shared/statement'

/** Registers of a partner in one state or in any, the newest first; it has a few dozen a year. */
export const listRegisters = statement<
  WithDates<RegisterLine, 'from' | 'to' | 'uploadedAt'>,
  { id: number; state: string | null }
>(
  'back_office_registers',
  `SELECT r.id, r.state, s.name AS source, ${REGISTER_DAYS},
          file_name AS "fileName", uploaded_at AS "uploadedAt",
          uploaded_by AS "uploadedBy", (control ->> 'rowsIn')::integer AS rows, (control ->> 'sumTenge')::float8 AS tenge,
          (SELECT sum((figures ->> 'cases')::integer)::integer FROM jsonb_each(totals) AS t (category, figures)
            WHERE category <> 'MATCHED') AS differing,
          problem IS NOT NULL AS "isUnreadable"
     FROM partner_registers r JOIN register_sources s ON s.id = r.source_id
    WHERE r.partner_id = :id AND (:state::text IS NULL OR r.state = :state) ORDER BY r.id DESC LIMIT 200`
)

/** First and last day of the partner's last complete period: a register is usually for it. */
export async function lastPeriod(partnerId: number) {
  const now = new Date()
  const { period } = await findTermsAt.one({ partnerId, at: now })
  const justBefore = new Date(periodAround(now, period).from.getTime() - 1)
  const { from } = periodAround(justBefore, period)
  return { from: localDay(from), to: localDay(justBefore) }
}
