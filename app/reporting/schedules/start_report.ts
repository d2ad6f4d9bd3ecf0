import { DAY_MS } from '#shared/days'
import { queueMail } from '#reporting/mails/queue_mail'
import { periodAround, periodFrom, type Period } from '#ledger/periods'
import { findNextPeriod } from '#ledger/queries/find_next_period'
import { findLastStatementUntil } from '#ledger/queries/find_statement'
import { noteScheduleRun, type Schedule } from '#reporting/schedules/schedules'
import RequestDocument from '#workbooks/document/request_document'
import { findTermsAt } from '#ledger/terms'
import { isMailOn } from '#mail/send'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** So far back the report of defects looks. */
const DEFECT_DAYS = 31

/** Asks for a report and puts a mail to each recipient behind it; while e-mail is off, only the report is made. */
export async function startReport(
  schedule: Schedule,
  { at, actor }: { at: Date; actor: Actor },
  trx: TransactionClientContract
) {
  const { partnerId, language, kind: reportKind, createdBy: askedBy } = schedule
  const runId = await askFor(schedule, at, actor, trx)
  const recipients = isMailOn() ? schedule.recipients : []
  for (const recipient of recipients) {
    const about = { partnerId, runId, scheduleId: schedule.id, reportKind }
    await queueMail({ ...about, recipient, language, askedBy }, trx)
  }
  await noteScheduleRun({ scheduleId: schedule.id, runId }, trx)
  const told = { schedule: schedule.id, run: runId, recipients: recipients.length }
  await record('report_schedule_run', told, { actor, partnerId }, trx)
  return { runId, recipients: recipients.length }
}

async function askFor(schedule: Schedule, at: Date, actor: Actor, trx: TransactionClientContract) {
  const { kind, partnerCode, language } = schedule
  const asked = { partnerCode, language, actor }
  if (kind === 'defects') {
    const params = { partnerCode, ...spoken(defectDays(at)) }
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

const spoken = ({ from, to }: Period) => ({ from: from.toISOString(), to: to.toISOString() })

/** Whole days of the venues up to today's end, so that the same day asks the same. */
function defectDays(at: Date): Period {
  const { from: thisMonth } = periodAround(at, 'month')
  const days = Math.floor((at.getTime() - thisMonth.getTime()) / DAY_MS) + 1
  const to = new Date(thisMonth.getTime() + days * DAY_MS)
  return { from: new Date(to.getTime() - DEFECT_DAYS * DAY_MS), to }
}

/** The period that `at` lies in, or the one before: its statement, where it is closed already. */
async function scopeOf(
  { kind, partnerId }: Schedule,
  at: Date,
  trx: TransactionClientContract
): Promise<{ statementId: number } | { from: string; to: string }> {
  const current = await periodAt(partnerId, at, trx)
  if (kind === 'current_period') return spoken(current)
  const before = new Date(current.from.getTime() - 1)
  const closed = await findLastStatementUntil(partnerId, current.from, trx)
  return closed && closed.to > before
    ? { statementId: closed.id }
    : spoken(await periodAt(partnerId, before, trx))
}

/** What is not closed yet will be closed one after another, each by the terms that it begins with. */
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

/** Where terms of another period have begun, it is shorter: what is closed already belongs to the one before. */
async function periodOfPast(partnerId: number, at: Date, trx: TransactionClientContract) {
  const { period } = await findTermsAt.one({ partnerId, at }, trx)
  const { from, to } = periodAround(at, period)
  const closed = await findLastStatementUntil(partnerId, at, trx)
  return { from: closed && closed.to > from ? closed.to : from, to }
}
