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

const lockRow = statement<Schedule, { id: number }>(
  'report_schedule_lock',
  `SELECT ${COLUMNS} FROM report_schedules s JOIN partners p ON p.id = s.partner_id WHERE s.id = :id FOR UPDATE OF s`
)
export const findSchedule = statement<Schedule, { id: number }>(
  'report_schedule_by_id',
  `SELECT ${COLUMNS} FROM report_schedules s JOIN partners p ON p.id = s.partner_id WHERE s.id = :id`
)

/** Locks the schedule against starting, changes and removal; refuses NO_SUCH. */
export const lockSchedule = async (id: number, trx: TransactionClientContract) =>
  (await lockRow.first({ id }, trx)) ?? refuse('NO_SUCH', { what: 'report schedule' })

/** What staff choose for a schedule. */
export type ScheduleSettings = Rhythm & Pick<Schedule, 'kind' | 'language' | 'recipients'>
