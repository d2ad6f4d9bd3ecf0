import type { FollowUp } from '#shared/follow_up'
import { statement } from '#shared/statement'
import { storable } from '#shared/storable'
import type { AskedJob, JobName, ScheduledJob } from '#start/schedule'

/** A long job throws the reason of `stopping` when that is aborted; its next run continues. */
type Scheduled = (stopping?: AbortSignal) => Promise<FollowUp[] | void>
type Asked = (row: { id: number }, stopping?: AbortSignal) => Promise<FollowUp[] | void>
type Jobs<Name extends JobName, Run> = Record<Name, () => Promise<{ default: Run }>>

// The names are stored and stand in metrics: they stay when a function gets another name.
const SCHEDULED: Jobs<ScheduledJob, Scheduled> = {
  expire_overdue: () => import('#sales/expire_overdue/expire_overdue'),
  follow_sales_clock: () => import('#catalog/jobs/follow_sales_clock'),
  relay_news: () => import('#webhooks/relay_news/relay_news'),
  expire_tickets: () => import('#tickets/jobs/expire_tickets'),
  prune_deliveries: () => import('#webhooks/jobs/prune_deliveries'),
  prune_openings: () => import('#tickets/jobs/prune_openings'),
  check_ledger: () => import('#ledger/jobs/check_ledger'),
  verify_statements: () => import('#ledger/jobs/verify_statements'),
  follow_statements: () => import('#ledger/jobs/follow_statements'),
  prune_sessions: () => import('#staff/jobs/prune_sessions'),
  report_sign_in_failures: () => import('#staff/jobs/report_sign_in_failures'),
  judge_conduct: () => import('#defects/jobs/check_current_conduct'),
  erase_old_buyers: () => import('#privacy/jobs/erase_old_buyers'),
  find_defects: () => import('#defects/jobs/check_partners'),
  check_invariants: () => import('#invariants/jobs/check_invariants'),
  alert_broken_invariants: () => import('#reporting/jobs/alert_broken_invariants'),
  record_saved_attempts: () => import('#sales/confirm_order/record_saved_attempts'),
  note_failed_confirms: () => import('#reporting/jobs/note_failed_confirms'),
  judge_failed_confirms: () => import('#defects/jobs/check_failed_confirms'),
  keep_months: () => import('#worker/keep_months'),
  start_runs: () => import('#runs/jobs/start_runs'),
  prune_runs: () => import('#runs/jobs/prune_runs'),
  mail_statements: () => import('#reporting/jobs/queue_issued_statement_mails'),
  note_high_water: () => import('#restores/high_water'),
  send_mails: () => import('#reporting/jobs/queue_due_mails'),
  start_reports: () => import('#reporting/jobs/start_reports'),
}
const ASKED: Jobs<AskedJob, Asked> = {
  send_mail: () => import('#reporting/mails/deliver_mail/deliver_mail'),
  perform_run: () => import('#worker/perform_run'),
  deliver_webhooks: () => import('#webhooks/deliver_webhooks/deliver_webhooks'),
}

/** A job of another version of the product. It is dropped: the row that it was for is found in PostgreSQL again. */
export class UnknownJob extends Error {}

/** Stores how the last run of a job ended; `error` is null for success. */
const upsertJobRun = statement<object, { name: string; durationMs: number; error: string | null }>(
  'job_run_note',
  `INSERT INTO job_runs AS r (job, ran_at, took_ms, succeeded_at, failed_at, failure, failures_in_row)
   VALUES (:name, clock_timestamp(), :durationMs, CASE WHEN :error::text IS NULL THEN clock_timestamp() END,
           CASE WHEN :error IS NOT NULL THEN clock_timestamp() END, :error, CASE WHEN :error IS NULL THEN 0 ELSE 1 END)
   ON CONFLICT (job) DO UPDATE
     SET ran_at = excluded.ran_at, took_ms = excluded.took_ms,
         succeeded_at = coalesce(excluded.succeeded_at, r.succeeded_at),
         failed_at = coalesce(excluded.failed_at, r.failed_at), failure = coalesce(excluded.failure, r.failure),
         failures_in_row = CASE WHEN excluded.failure IS NULL THEN 0 ELSE r.failures_in_row + 1 END`
)

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

/** Runs one job, stores how it ended, and returns the jobs to queue next. */
export async function runJob(
  name: string,
  data: unknown,
  stopping?: AbortSignal
): Promise<FollowUp[]> {
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  try {
    const followUps = (await run(name, data, stopping)) ?? []
    await upsertJobRun({ name, durationMs: took(), error: null })
    return followUps
  } catch (error) {
    // Stopped, not failed: the next run starts again.
    if (stopping?.aborted && error === stopping.reason) return []
    if (!(error instanceof UnknownJob))
      await upsertJobRun({ name, durationMs: took(), error: wordsOf(error) }).catch(() => {})
    throw error
  }
}

const MAX_ERROR_LENGTH = 500

const wordsOf = (error: unknown) =>
  storable((error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_LENGTH))
