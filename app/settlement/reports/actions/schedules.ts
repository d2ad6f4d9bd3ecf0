import { isAddress } from '#mail/address'
import { findPartner } from '#partners/queries/find_partner'
import { nextDue, type Rhythm } from '#settlement/reports/rhythm'
import {
  deleteSchedule,
  insertSchedule,
  lockSchedule,
  setScheduleActive,
  toldOf,
  type ReportKind,
} from '#settlement/reports/schedules'
import { startReport } from '#settlement/reports/start_report'
import type { Language } from '#settlement/workbook/words/words'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuseField } from '#shared/refusals'
import { transaction } from '#shared/transaction'

export interface ScheduleReportInput extends Rhythm {
  partnerCode: string
  kind: ReportKind
  language: Language
  recipients: string[]
  actor: Actor
}
interface OfSchedule {
  scheduleId: number
  actor: Actor
}

const MOST_RECIPIENTS = 10

function assertRecipients(recipients: string[]) {
  if (recipients.length === 0 || recipients.length > MOST_RECIPIENTS)
    refuseField('recipients', 'count', `must be from 1 to ${MOST_RECIPIENTS}`)
  if (!recipients.every(isAddress)) refuseField('recipients', 'email', 'has something else')
}

function assertRhythm({ every, day, hour }: Rhythm) {
  const most = { day: 0, week: 7, month: 31 }[every]
  const isDay = every === 'day' ? day === null : Number.isInteger(day) && day! >= 1 && day! <= most
  if (!isDay) refuseField('day', 'range', `must be from 1 to ${most}`)
  if (!Number.isInteger(hour) || hour < 0 || hour > 23)
    refuseField('hour', 'range', 'must be from 0 to 23')
}

/** Has a report made and sent again and again, beginning with the next time that it is due. */
export class ScheduleReport {
  async handle({ partnerCode, actor, ...asked }: ScheduleReportInput) {
    const byAddress = new Map(asked.recipients.map((one) => [one.toLowerCase(), one]))
    const given = { ...asked, recipients: [...byAddress.values()] }
    assertRecipients(given.recipients)
    assertRhythm(given)
    return transaction(async (trx) => {
      const { id: partnerId } = await findPartner(partnerCode, trx)
      const { kind, every, day, hour, language, recipients } = given
      const nextAt = nextDue(given, new Date())
      const values = [partnerId, kind, every, day, hour, language, recipients, nextAt, actor.name]
      const { id } = await insertSchedule.one(values, trx)
      const told = { schedule: id, kind, every, day, hour, language, recipients }
      await record('report_schedule_set', told, { actor, partnerId }, trx)
      return { scheduleId: id, nextAt }
    })
  }
}

/** Lets it rest, or go on with the next time that it is due; asked twice it is as asked once. */
export class PauseSchedule {
  async handle({ scheduleId, isActive, actor }: OfSchedule & { isActive: boolean }) {
    await transaction(async (trx) => {
      const schedule = await lockSchedule(scheduleId, trx)
      if (schedule.isActive === isActive) return
      await setScheduleActive([scheduleId, isActive, nextDue(schedule, new Date())], trx)
      const { kind, partnerId } = schedule
      const name = isActive ? 'report_schedule_resumed' : 'report_schedule_paused'
      await record(name, { schedule: scheduleId, kind }, { actor, partnerId }, trx)
    })
  }
}

/** Makes and sends it once, beside its times. */
export class RunSchedule {
  async handle({ scheduleId, actor }: OfSchedule) {
    return transaction(async (trx) => {
      const schedule = await lockSchedule(scheduleId, trx)
      return startReport(schedule, { at: new Date(), actor }, trx)
    })
  }
}

/** Reports that were made and mails that are on their way stay. */
export class RemoveSchedule {
  async handle({ scheduleId, actor }: OfSchedule) {
    await transaction(async (trx) => {
      const schedule = await lockSchedule(scheduleId, trx)
      await deleteSchedule([scheduleId], trx)
      const { partnerId } = schedule
      const told = { schedule: scheduleId, ...toldOf(schedule) }
      await record('report_schedule_removed', told, { actor, partnerId }, trx)
    })
  }
}
