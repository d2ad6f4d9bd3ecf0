import { isAddress } from '#mail/address'
import { findPartner } from '#partners/queries/find_partner'
import { nextDue, type Rhythm } from '#reporting/schedules/rhythm'
import {
  deleteSchedule,
  insertSchedule,
  lockSchedule,
  setScheduleActive,
  toldOf,
  updateSchedule,
  type Asked,
} from '#reporting/schedules/schedules'
import { startReport } from '#reporting/schedules/start_report'
import type { Actor } from '#shared/actor'
import { differences, record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { transaction } from '#shared/transaction'

export type ScheduleReportInput = Asked & { partnerCode: string; actor: Actor }
export type ChangeScheduleInput = Asked & OfSchedule & { version: number }
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

/** As it is kept: each address once. */
function checked<Given extends Asked>(given: Given): Given {
  const byAddress = new Map(given.recipients.map((one) => [one.toLowerCase(), one]))
  const recipients = [...byAddress.values()]
  assertRecipients(recipients)
  assertRhythm(given)
  return { ...given, recipients }
}

/** Has a report made and sent again and again, beginning with the next time that it is due. */
export class ScheduleReport {
  async handle({ partnerCode, actor, ...asked }: ScheduleReportInput) {
    const told = toldOf(checked(asked))
    return transaction(async (trx) => {
      const { id: partnerId } = await findPartner(partnerCode, trx)
      const nextAt = nextDue(told, new Date())
      const { id } = await insertSchedule.one(
        { ...told, partnerId, nextAt, createdBy: actor.name },
        trx
      )
      await record('report_schedule_set', { schedule: id, ...told }, { actor, partnerId }, trx)
      return { scheduleId: id, nextAt }
    })
  }
}

/** What is on its way stays as it was asked for. Refuses NO_SUCH, and STALE when somebody has changed it since. */
export class ChangeSchedule {
  async handle({ scheduleId, version, actor, ...asked }: ChangeScheduleInput) {
    const told = toldOf(checked(asked))
    return transaction(async (trx) => {
      const was = await lockSchedule(scheduleId, trx)
      if (was.version !== version) refuse('STALE')
      const changed = differences(toldOf(was), told)
      if (Object.keys(changed).length === 0) return
      await updateSchedule({ ...told, id: scheduleId, nextAt: nextDue(told, new Date()) }, trx)
      const about = { actor, partnerId: was.partnerId }
      await record('report_schedule_changed', { schedule: scheduleId, changed }, about, trx)
    })
  }
}

/** Lets it rest, or go on with the next time that it is due; asked twice it is as asked once. */
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
      await deleteSchedule({ scheduleId }, trx)
      const { partnerId } = schedule
      const told = { schedule: scheduleId, ...toldOf(schedule) }
      await record('report_schedule_removed', told, { actor, partnerId }, trx)
    })
  }
}
