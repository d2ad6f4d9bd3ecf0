import type { FollowUp } from '#shared/follow_up'
import { QUEUE_OF, type JobName } from '#start/schedule'
import { noteRun } from '#worker/queries/work_log'

type Run = (data: any, stopping?: AbortSignal) => Promise<FollowUp[] | void>

const JOBS: Record<JobName, () => Promise<{ default: Run }>> = {
  expire_overdue: () => import('#sales/jobs/expire_overdue'),
  follow_sales_clock: () => import('#catalog/jobs/follow_sales_clock'),
  relay_news: () => import('#webhooks/jobs/relay_news'),
  expire_tickets: () => import('#tickets/jobs/expire_tickets'),
  prune_deliveries: () => import('#webhooks/jobs/prune_deliveries'),
  prune_openings: () => import('#tickets/jobs/prune_openings'),
  check_ledger: () => import('#settlement/jobs/check_ledger'),
  follow_statements: () => import('#settlement/jobs/follow_statements'),
  prune_sessions: () => import('#staff/jobs/prune_sessions'),
  judge_conduct: () => import('#settlement/jobs/judge_conduct'),
  find_defects: () => import('#settlement/jobs/find_defects'),
  start_runs: () => import('#settlement/jobs/start_runs'),
  prune_runs: () => import('#settlement/jobs/prune_runs'),
  send_mails: () => import('#settlement/jobs/send_mails'),
  send_mail: () => import('#settlement/jobs/send_mail'),
  start_reports: () => import('#settlement/jobs/start_reports'),
  perform_run: () => import('#settlement/jobs/perform_run'),
  deliver_webhooks: () => import('#webhooks/jobs/deliver_webhooks'),
}

/** A job of another version of the product, that this one can't read; what it was for is found in PostgreSQL again. */
export class UnknownJob extends Error {}

const isRowId = (id: unknown) => Number.isInteger(id) && Number(id) > 0 && Number(id) < 2 ** 31

function assertKnown(name: string, data: unknown) {
  if (!Object.hasOwn(JOBS, name)) throw new UnknownJob(`there is no job ${name}`)
  if (name in QUEUE_OF && !isRowId((data as { id?: unknown } | null)?.id))
    throw new UnknownJob(`${name} wants the id of a row, not ${JSON.stringify(data)}`)
}

/** Runs one job and notes how it went; gives the jobs that it asks for. Long ones stop when they are told to. */
export async function runJob(
  name: string,
  data: unknown,
  stopping?: AbortSignal
): Promise<FollowUp[]> {
  assertKnown(name, data)
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  try {
    const { default: run } = await JOBS[name as JobName]()
    const followUps = (await run(data, stopping)) ?? []
    await noteRun([name, took(), null])
    return followUps
  } catch (error) {
    await noteRun([name, took(), wordsOf(error)]).catch(() => {})
    throw error
  }
}

const MAX_WORDS = 500

const wordsOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_WORDS)
