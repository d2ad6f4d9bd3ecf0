import { isAddress } from '#mail/address'
import { findPartner } from '#partners/queries/find_partner'
import { nextDue, type Rhythm } from '#reporting/schedules/rhythm'
import { lockSchedule, type ScheduleSettings } from '#reporting/schedules/schedules'
import { startReport } from '#reporting/schedules/start_report'
import type { Actor } from '#shared/actor'
import { differences, record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export type ScheduleReportInput = ScheduleSettings & { partnerCode: string; actor: Actor }
export type ChangeScheduleInput = ScheduleSettings & OfSchedule & { version: number }
interface OfSchedule {
  scheduleId: number
  actor: Actor
}

const insertSchedule = statement<
  { id: number },
  ScheduleSettings & { partnerId: number; nextAt: Date; createdBy: string }
>(
  'report_schedule_insert',
  `INSERT INTO report_schedules (partner_id, kind, every, day, hour, language, recipients, next_at, created_by)
   VALUES (:partnerId, :kind, :every, :day, :hour, :language, :recipients, :nextAt, :createdBy) RETURNING id`
)
const updateSchedule = statement<object, ScheduleSettings & { id: number; nextAt: Date }>(
  'report_schedule_update',
  `UPDATE report_schedules SET kind = :kind, every = :every, day = :day, hour = :hour, language = :language, recipients = :recipients, next_at = :nextAt,
          version = version + 1
    WHERE id = :id`
)
const setScheduleActive = statement<
  object,
  { scheduleId: number; isActive: boolean; nextAt: Date }
>(
  'report_schedule_set_active',
  'UPDATE report_schedules SET is_active = :isActive, next_at = :nextAt WHERE id = :scheduleId'
)
const deleteSchedule = statement<object, { scheduleId: number }>(
  'report_schedule_delete',
  'DELETE FROM report_schedules WHERE id = :scheduleId'
)

const MAX_RECIPIENTS = 10

function assertRecipients(recipients: string[]) {
  if (recipients.length === 0 || recipients.length > MAX_RECIPIENTS)
    refuseField('recipients', 'count', `must be from 1 to ${MAX_RECIPIENTS}`)
  if (!recipients.every(isAddress)) refuseField('recipients', 'email', 'has something else')
}

function assertRhythm({ every, day, hour }: Rhythm) {
  const most = { day: 0, week: 7, month: 31 }[every]
  const isDay = every === 'day' ? day === null : Number.isInteger(day) && day! >= 1 && day! <= most
  if (!isDay) refuseField('day', 'range', `must be from 1 to ${most}`)
  if (!Number.isInteger(hour) || hour < 0 || hour > 23)
    refuseField('hour', 'range', 'must be from 0 to 23')
}

/** The settings as they are stored, each address once. Refuses by field. */
function validateSettings({
  kind,
  every,
  day,
  hour,
  language,
  recipients: given,
}: ScheduleSettings): ScheduleSettings {
  const recipients = [...new Map(given.map((one) => [one.toLowerCase(), one])).values()]
  assertRecipients(recipients)
  assertRhythm({ every, day, hour })
  return { kind, every, day, hour, language, recipients }
}

const settingsOf = ({ kind, every, day, hour, language, recipients }: ScheduleSettings) => ({
  kind,
  every,
  day,
  hour,
  language,
  recipients,
})

/** Schedules a report; the first one is made at the next due moment. */
export class ScheduleReport {
  async handle({ partnerCode, actor, ...asked }: ScheduleReportInput) {
    const settings = validateSettings(asked)
    return transaction(async (trx) => {
      const { id: partnerId } = await findPartner(partnerCode, trx)
      const nextAt = nextDue(settings, new Date())
      const { id } = await insertSchedule.one(
        { ...settings, partnerId, nextAt, createdBy: actor.name },
        trx
      )
      await record('report_schedule_set', { schedule: id, ...settings }, { actor, partnerId }, trx)
      return { scheduleId: id, nextAt }
    })
  }
}

/** Changes a schedule; reports under way stay as they were. Refuses NO_SUCH, and STALE when somebody has changed it since. */
export class ChangeSchedule {
  async handle({ scheduleId, version, actor, ...asked }: ChangeScheduleInput) {
    const settings = validateSettings(asked)
    return transaction(async (trx) => {
      const was = await lockSchedule(scheduleId, trx)
      if (was.version !== version) refuse('STALE')
      const changed = differences(settingsOf(was), settings)
      if (Object.keys(changed).length === 0) return
      await updateSchedule(
        { ...settings, id: scheduleId, nextAt: nextDue(settings, new Date()) },
        trx
      )
      const about = { actor, partnerId: was.partnerId }
      await record('report_schedule_changed', { schedule: scheduleId, changed }, about, trx)
    })
  }
}

/** Pauses or resumes a schedule, with the next due moment. Idempotent. */
export class PauseSchedule {
  async handle({ scheduleId, isActive, actor }: OfSchedule & { isActive: boolean }) {
    await transaction(async (trx) => {
      const schedule = await lockSchedule(scheduleId, trx)
      if (schedule.isActive === isActive) return
      await setScheduleActive({ scheduleId, isActive, nextAt: nextDue(schedule, new Date()) }, trx)
      const { kind, partnerId } = schedule
      const name = isActive ? 'report_schedule_resumed' : 'report_schedule_paused'
      await record(name, { schedule: scheduleId, kind }, { actor, partnerId }, trx)
    })
  }
}

/** Makes and sends the report once, now; the schedule stays as it is. */
export class RunSchedule {
  async handle({ scheduleId, actor }: OfSchedule) {
    return transaction(async (trx) => {
      const schedule = await lockSchedule(scheduleId, trx)
      return startReport(schedule, { at: new Date(), actor }, trx)
    })
  }
}

/** Removes a schedule; its reports and queued mails stay. */
export class RemoveSchedule {
  async handle({ scheduleId, actor }: OfSchedule) {
    await transaction(async (trx) => {
      const schedule = await lockSchedule(scheduleId, trx)
      await deleteSchedule({ scheduleId }, trx)
      const { partnerId } = schedule
      const entry = { schedule: scheduleId, ...settingsOf(schedule) }
      await record('report_schedule_removed', entry, { actor, partnerId }, trx)
    })
  }
}
