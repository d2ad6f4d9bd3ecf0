import type { FollowUp } from '#shared/follow_up'
import { storable } from '#shared/storable'
import type { AskedJob, JobName, ScheduledJob } from '#start/schedule'
import { noteRun } from '#worker/queries/work_log'

/** A long one ends when it is told to stop, with the signal's reason; what it had left is done the next time. */
type Scheduled = (stopping?: AbortSignal) => Promise<FollowUp[] | void>
type Asked = (row: { id: number }, stopping?: AbortSignal) => Promise<FollowUp[] | void>
type Jobs<Name extends JobName, Run> = Record<Name, () => Promise<{ default: Run }>>

const SCHEDULED: Jobs<ScheduledJob, Scheduled> = {
  expire_overdue: () => import('#sales/expire_overdue/expire_overdue'),
  follow_sales_clock: () => import('#catalog/jobs/follow_sales_clock'),
  relay_news: () => import('#webhooks/relay_news/relay_news'),
  expire_tickets: () => import('#tickets/jobs/expire_tickets'),
  prune_deliveries: () => import('#webhooks/jobs/prune_deliveries'),
  prune_openings: () => import('#tickets/jobs/prune_openings'),
  check_ledger: () => import('#ledger/jobs/check_ledger'),
  follow_statements: () => import('#ledger/jobs/follow_statements'),
  prune_sessions: () => import('#staff/jobs/prune_sessions'),
  report_sign_in_failures: () => import('#staff/jobs/report_sign_in_failures'),
  judge_conduct: () => import('#defects/jobs/judge_conduct'),
  find_defects: () => import('#defects/jobs/find_defects'),
  note_failed_confirms: () => import('#reporting/jobs/note_failed_confirms'),
  judge_failed_confirms: () => import('#defects/jobs/judge_failed_confirms'),
  start_runs: () => import('#runs/jobs/start_runs'),
  prune_runs: () => import('#runs/jobs/prune_runs'),
  mail_statements: () => import('#reporting/jobs/mail_statements'),
  send_mails: () => import('#reporting/jobs/send_mails'),
  start_reports: () => import('#reporting/jobs/start_reports'),
}
const ASKED: Jobs<AskedJob, Asked> = {
  send_mail: () => import('#reporting/jobs/send_mail'),
  perform_run: () => import('#worker/perform_run'),
  deliver_webhooks: () => import('#webhooks/deliver_webhooks/deliver_webhooks'),
}

/** A job of another version of the product, that this one can't read; what it was for is found in PostgreSQL again. */
export class UnknownJob extends Error {}

const isRowId = (id: unknown): id is number =>
  Number.isInteger(id) && Number(id) > 0 && Number(id) < 2 ** 31

const isAsked = (name: string): name is AskedJob => Object.hasOwn(ASKED, name)
const isScheduled = (name: string): name is ScheduledJob => Object.hasOwn(SCHEDULED, name)

async function run(name: string, data: unknown, stopping?: AbortSignal) {
  if (isScheduled(name)) {
    const { default: job } = await SCHEDULED[name]()
    return job(stopping)
  }
  if (!isAsked(name)) throw new UnknownJob(`there is no job ${name}`)
  const id = (data as { id?: unknown } | null)?.id
  if (!isRowId(id)) {
    throw new UnknownJob(`${name} wants the id of a row, not ${JSON.stringify(data)}`)
  }
  const { default: job } = await ASKED[name]()
  return job({ id }, stopping)
}

/** Runs one job and notes how it went; gives the jobs that it asks for. Long ones stop when they are told to. */
export async function runJob(
  name: string,
  data: unknown,
  stopping?: AbortSignal
): Promise<FollowUp[]> {
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  try {
    const followUps = (await run(name, data, stopping)) ?? []
    await noteRun({ name, durationMs: took(), error: null })
    return followUps
  } catch (error) {
    // Nothing failed: whoever comes next begins anew.
    if (stopping?.aborted && error === stopping.reason) return []
    if (!(error instanceof UnknownJob))
      await noteRun({ name, durationMs: took(), error: wordsOf(error) }).catch(() => {})
    throw error
  }
}

const MAX_WORDS = 500

const wordsOf = (error: unknown) =>
  storable((error instanceof Error ? error.message : String(error)).slice(0, MAX_WORDS))
