import type { Rhythm } from '#reporting/schedules/rhythm'
import type { Language } from '#shared/languages'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export const REPORT_KINDS = ['current_period', 'last_period', 'defects'] as const
export type ReportKind = (typeof REPORT_KINDS)[number]

export interface Schedule extends Rhythm {
  id: number
  partnerId: number
  partnerCode: string
  kind: ReportKind
  language: Language
  recipients: string[]
  isActive: boolean
  createdBy: string
  version: number
}

const COLUMNS = `s.id, s.partner_id AS "partnerId", p.code AS "partnerCode", s.kind, s.every, s.day, s.hour, s.language,
  s.recipients, s.is_active AS "isActive", s.created_by AS "createdBy", s.version`

export const selectDueSchedules = statement<{ id: number }>(
  'report_schedules_due',
  'SELECT id FROM report_schedules WHERE is_active AND next_at <= $1 ORDER BY next_at LIMIT 20'
)
const lockRow = statement<Schedule>(
  'report_schedule_lock',
  `SELECT ${COLUMNS} FROM report_schedules s JOIN partners p ON p.id = s.partner_id WHERE s.id = $1 FOR UPDATE OF s`
)
export const insertSchedule = statement<{ id: number }>(
  'report_schedule_insert',
  `INSERT INTO report_schedules (partner_id, kind, every, day, hour, language, recipients, next_at, created_by)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`
)
export const updateSchedule = statement(
  'report_schedule_update',
  `UPDATE report_schedules SET kind = $2, every = $3, day = $4, hour = $5, language = $6, recipients = $7, next_at = $8,
          version = version + 1
    WHERE id = $1`
)
/** No row when another worker was first, or somebody has paused it. */
export const claimSchedule = statement<{ id: number }>(
  'report_schedule_claim',
  `UPDATE report_schedules SET next_at = $3
    WHERE id = $1 AND is_active AND next_at <= $2 RETURNING id`
)
export const noteScheduleRun = statement(
  'report_schedule_note_run',
  'UPDATE report_schedules SET last_run_id = $2, last_at = clock_timestamp() WHERE id = $1'
)
export const setScheduleActive = statement(
  'report_schedule_set_active',
  'UPDATE report_schedules SET is_active = $2, next_at = $3 WHERE id = $1'
)
export const deleteSchedule = statement(
  'report_schedule_delete',
  'DELETE FROM report_schedules WHERE id = $1'
)

export const findSchedule = statement<Schedule>(
  'report_schedule_by_id',
  `SELECT ${COLUMNS} FROM report_schedules s JOIN partners p ON p.id = s.partner_id WHERE s.id = $1`
)

/** Nobody starts, changes or removes it meanwhile; refuses NO_SUCH. */
export const lockSchedule = async (id: number, trx: TransactionClientContract) =>
  (await lockRow.first([id], trx)) ?? refuse('NO_SUCH', { what: 'report schedule' })

export type Asked = Rhythm & Pick<Schedule, 'kind' | 'language' | 'recipients'>

export const toldOf = ({ kind, every, day, hour, language, recipients }: Asked) => ({
  ...{ kind, every, day, hour, language, recipients },
})
