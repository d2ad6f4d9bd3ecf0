import { localDay } from '#shared/days'
import type { RegisterLine } from '#finance/registers/registers_props'
import type { WithDates } from '#staff_area/page_props'
import { periodAround } from '#ledger/periods'
import { findTermsAt } from '#ledger/terms'
import { statement } from '#shared/statement'

/** SQL: the first day of a register and the day after its last one, as the partner counts days. */
const DAYS = `r.period_from - r.day_shift_minutes * interval '1 minute' AS "from",
          r.period_to - r.day_shift_minutes * interval '1 minute' AS "to"`

/** What registers are called on their pages. */
export const nameRegisters = statement<
  WithDates<Pick<RegisterLine, 'id' | 'fileName' | 'source' | 'from' | 'to'>, 'from' | 'to'>,
  { ids: number[] }
>(
  'back_office_register_names',
  `SELECT r.id, r.file_name AS "fileName", s.name AS source, ${DAYS}
     FROM partner_registers r JOIN register_sources s ON s.id = r.source_id WHERE r.id = ANY (:ids::integer[])`
)

/** Registers of a partner in one state or in any, the newest first; it has a few dozen a year. */
export const listRegisters = statement<
  WithDates<RegisterLine, 'from' | 'to' | 'uploadedAt'>,
  { id: number; state: string | null }
>(
  'back_office_registers',
  `SELECT r.id, r.state, s.name AS source, ${DAYS},
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
