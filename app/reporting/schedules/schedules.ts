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

export const selectDueSchedules = statement<{ id: number }, { now: Date }>(
  'report_schedules_due',
  'SELECT id FROM report_schedules WHERE is_active AND next_at <= :now ORDER BY next_at LIMIT 20'
)
const lockRow = statement<Schedule, { id: number }>(
  'report_schedule_lock',
  `SELECT ${COLUMNS} FROM report_schedules s JOIN partners p ON p.id = s.partner_id WHERE s.id = :id FOR UPDATE OF s`
)
export const insertSchedule = statement<
  { id: number },
  Asked & { partnerId: number; nextAt: Date; createdBy: string }
>(
  'report_schedule_insert',
  `INSERT INTO report_schedules (partner_id, kind, every, day, hour, language, recipients, next_at, created_by)
   VALUES (:partnerId, :kind, :every, :day, :hour, :language, :recipients, :nextAt, :createdBy) RETURNING id`
)
export const updateSchedule = statement<object, Asked & { id: number; nextAt: Date }>(
  'report_schedule_update',
  `UPDATE report_schedules SET kind = :kind, every = :every, day = :day, hour = :hour, language = :language, recipients = :recipients, next_at = :nextAt,
          version = version + 1
    WHERE id = :id`
)
/** No row when another worker was first, or somebody has paused it. */
export const claimSchedule = statement<{ id: number }, { id: number; now: Date; nextAt: Date }>(
  'report_schedule_claim',
  `UPDATE report_schedules SET next_at = :nextAt
    WHERE id = :id AND is_active AND next_at <= :now RETURNING id`
)
export const noteScheduleRun = statement<object, { scheduleId: number; runId: number }>(
  'report_schedule_note_run',
  'UPDATE report_schedules SET last_run_id = :runId, last_at = clock_timestamp() WHERE id = :scheduleId'
)
export const setScheduleActive = statement<
  object,
  { scheduleId: number; isActive: boolean; nextAt: Date }
>(
  'report_schedule_set_active',
  'UPDATE report_schedules SET is_active = :isActive, next_at = :nextAt WHERE id = :scheduleId'
)
export const deleteSchedule = statement<object, { scheduleId: number }>(
  'report_schedule_delete',
  'DELETE FROM report_schedules WHERE id = :scheduleId'
)

export const findSchedule = statement<Schedule, { id: number }>(
  'report_schedule_by_id',
  `SELECT ${COLUMNS} FROM report_schedules s JOIN partners p ON p.id = s.partner_id WHERE s.id = :id`
)

/** Nobody starts, changes or removes it meanwhile; refuses NO_SUCH. */
export const lockSchedule = async (id: number, trx: TransactionClientContract) =>
  (await lockRow.first({ id }, trx)) ?? refuse('NO_SUCH', { what: 'report schedule' })

export type Asked = Rhythm & Pick<Schedule, 'kind' | 'language' | 'recipients'>

export const toldOf = ({ kind, every, day, hour, language, recipients }: Asked) => ({
  kind,
  every,
  day,
  hour,
  language,
  recipients,
})
