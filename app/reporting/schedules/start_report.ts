import { DAY_MS } from '#shared/days'
import { queueMail } from '#reporting/mails/queue_mail'
import { periodAround, periodFrom, type Period } from '#ledger/periods'
import { findNextPeriod } from '#ledger/queries/find_next_period'
import { findLastStatementUntil } from '#ledger/queries/find_statement'
import type { Schedule } from '#reporting/schedules/schedules'
import RequestDocument from '#workbooks/document/request_document'
import { findTermsAt } from '#ledger/terms'
import { isMailOn } from '#mail/send'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** How many days a defect report covers. */
const DEFECT_DAYS = 31

const updateLastRun = statement<object, { scheduleId: number; runId: number }>(
  'report_schedule_note_run',
  'UPDATE report_schedules SET last_run_id = :runId, last_at = clock_timestamp() WHERE id = :scheduleId'
)

/** Requests the report of a schedule and queues a mail to each recipient; while e-mail is off, only the report is made. */
export async function startReport(
  schedule: Schedule,
  { at, actor }: { at: Date; actor: Actor },
  trx: TransactionClientContract
) {
  const { partnerId, language, kind: reportKind, createdBy: askedBy } = schedule
  const runId = await requestRun(schedule, at, actor, trx)
  const recipients = isMailOn() ? schedule.recipients : []
  for (const recipient of recipients) {
    const about = { partnerId, runId, scheduleId: schedule.id, reportKind }
    await queueMail({ ...about, recipient, language, askedBy }, trx)
  }
  await updateLastRun({ scheduleId: schedule.id, runId }, trx)
  const entry = { schedule: schedule.id, run: runId, recipients: recipients.length }
  await record('report_schedule_run', entry, { actor, partnerId }, trx)
  return { runId, recipients: recipients.length }
}

async function requestRun(
  schedule: Schedule,
  at: Date,
  actor: Actor,
  trx: TransactionClientContract
) {
  const { kind, partnerCode, language } = schedule
  const asked = { partnerCode, language, actor }
  if (kind === 'defects') {
    const params = { partnerCode, ...toIso(defectDays(at)) }
    const { runId } = await new RequestDocument().within(
      { ...asked, kind: 'defect_list', params },
      trx
    )
    return runId
  }
  const params = { partnerCode, hasTwins: false, ...(await scopeOf(schedule, at, trx)) }
  const { runId } = await new RequestDocument().within({ ...asked, kind: 'workbook', params }, trx)
  return runId
}

const toIso = ({ from, to }: Period) => ({ from: from.toISOString(), to: to.toISOString() })

/** Whole days up to the end of the day of `at`, so that two requests of one day share a run. */
function defectDays(at: Date): Period {
  const { from: thisMonth } = periodAround(at, 'month')
  const days = Math.floor((at.getTime() - thisMonth.getTime()) / DAY_MS) + 1
  const to = new Date(thisMonth.getTime() + days * DAY_MS)
  return { from: new Date(to.getTime() - DEFECT_DAYS * DAY_MS), to }
}

/** The period around `at` or the one before, by the report's kind; its statement where the period is closed. */
async function scopeOf(
  { kind, partnerId }: Schedule,
  at: Date,
  trx: TransactionClientContract
): Promise<{ statementId: number } | { from: string; to: string }> {
  const current = await periodAt(partnerId, at, trx)
  if (kind === 'current_period') return toIso(current)
  const before = new Date(current.from.getTime() - 1)
  const closed = await findLastStatementUntil(partnerId, current.from, trx)
  return closed && closed.to > before
    ? { statementId: closed.id }
    : toIso(await periodAt(partnerId, before, trx))
}

/** The period around `at`. Open periods follow each other, each by the terms at its beginning. */
async function periodAt(partnerId: number, at: Date, trx: TransactionClientContract) {
  const next = await findNextPeriod(partnerId, trx)
  if (!next || at < next.from) return periodOfPast(partnerId, at, trx)
  let period: Period = next
  while (period.to <= at) period = await periodAfter(partnerId, period, trx)
  return period
}

async function periodAfter(partnerId: number, { to }: Period, trx: TransactionClientContract) {
  const { period } = await findTermsAt.one({ partnerId, at: to }, trx)
  return periodFrom(to, period)
}

/** A closed period around `at`; shorter than usual where new terms changed the length of periods within it. */
async function periodOfPast(partnerId: number, at: Date, trx: TransactionClientContract) {
  const { period } = await findTermsAt.one({ partnerId, at }, trx)
  const { from, to } = periodAround(at, period)
  const closed = await findLastStatementUntil(partnerId, at, trx)
  return { from: closed && closed.to > from ? closed.to : from, to }
}
