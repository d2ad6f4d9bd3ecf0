import {
  countOrders,
  selectEndpoints,
  selectFeedReads,
  selectFigures,
  selectInvariants,
  selectJobRuns,
} from '#telemetry/queries/figures'
import { registry } from '#telemetry/registry'
import { Gauge } from 'prom-client'

function gauge<Label extends string>(name: string, help: string, ...labelNames: Label[]) {
  return new Gauge({ name, help, labelNames, registers: [registry] })
}

const holds = gauge('holds', 'Live holds, by what holds', 'kind')
const orders = gauge('orders_of_last_day', 'Orders made in the last 24 hours, by status', 'status')
const overdue = gauge(
  'sweep_overdue_seconds',
  'Age of the oldest expiry not yet written down',
  'kind'
)
const relayAge = gauge('relay_age_seconds', 'Time since the journal was last relayed')
const failedConfirms = gauge(
  'failed_confirms_of_last_hour',
  'Orders whose confirm came in time and was failed by us, and that are not paid'
)
const failedRuns = gauge(
  'failed_runs_of_last_hour',
  'Workbooks, closings and checks that failed by our fault, not by a refusal'
)
const failedMails = gauge('failed_mails_of_last_hour', 'E-mails that were given up')
const workers = gauge('workers', 'Workers with a heartbeat in the last 45 seconds', 'mode')
const feedAge = gauge(
  'feed_read_age_seconds',
  'Time since a partner last read the change feed',
  'partner'
)

const jobAge = gauge('job_success_age_seconds', 'Time since a job last went well', 'job')
const jobFailures = gauge('job_failures_in_row', 'Failures since a job last went well', 'job')
const jobDuration = gauge('job_last_duration_seconds', 'How long the last run took', 'job')

const counterexamples = gauge(
  'invariant_counterexamples',
  'Rows that contradict an invariant, by its last run',
  'invariant'
)
const invariantAge = gauge(
  'invariant_run_age_seconds',
  'Time since the last run of an invariant that came to a result, or since it is known',
  'invariant'
)

const active = gauge(
  'webhook_endpoint_active',
  '1 when webhooks are sent to the partner, 0 when disabled',
  'partner'
)
const attempts = gauge(
  'webhook_attempts_total',
  'Attempts to send a webhook, by outcome',
  'partner',
  'outcome'
)
const failing = gauge(
  'webhook_failing_seconds',
  'Time since an endpoint answered well, 0 when it does',
  'partner'
)
const deliveries = gauge(
  'webhook_deliveries',
  'Deliveries not made, by status',
  'partner',
  'status'
)
const oldestDue = gauge(
  'webhook_oldest_due_seconds',
  'How long the oldest due delivery has waited',
  'partner'
)

/** Sets the gauges from PostgreSQL. */
export async function readFigures(): Promise<void> {
  await Promise.all([
    readSales(),
    readOrders(),
    readEndpoints(),
    readFeed(),
    readJobs(),
    readInvariants(),
  ])
}

async function readSales() {
  const now = await selectFigures.one({})
  holds.set({ kind: 'booking' }, now.live_bookings)
  holds.set({ kind: 'order' }, now.pending_orders)
  overdue.set({ kind: 'booking' }, now.booking_overdue_seconds)
  overdue.set({ kind: 'order' }, now.order_overdue_seconds)
  relayAge.set(now.relay_age_seconds)
  failedConfirms.set(now.failed_confirms)
  failedRuns.set(now.failed_runs)
  failedMails.set(now.failed_mails)
  workers.set({ mode: 'queue' }, now.workers - now.lone_workers)
  workers.set({ mode: 'alone' }, now.lone_workers)
}

async function readOrders() {
  const counts = await countOrders({})
  orders.reset()
  for (const { status, count } of counts) orders.set({ status }, count)
}

async function readEndpoints() {
  const endpoints = await selectEndpoints({})
  for (const one of [active, attempts, failing, deliveries, oldestDue]) one.reset()
  for (const { partner, ...now } of endpoints) {
    active.set({ partner }, Number(now.is_active))
    attempts.set({ partner, outcome: 'success' }, Number(now.succeeded))
    attempts.set({ partner, outcome: 'failure' }, Number(now.failed))
    failing.set({ partner }, now.failing_seconds)
    deliveries.set({ partner, status: 'pending' }, now.pending)
    deliveries.set({ partner, status: 'failed' }, now.given_up)
    deliveries.set({ partner, status: 'held' }, now.held)
    oldestDue.set({ partner }, now.oldest_due_seconds)
  }
}

async function readFeed() {
  const reads = await selectFeedReads({})
  feedAge.reset()
  for (const { partner, age_seconds: age } of reads) feedAge.set({ partner }, age)
}

async function readJobs() {
  const runs = await selectJobRuns({})
  for (const one of [jobAge, jobFailures, jobDuration]) one.reset()
  for (const { job, ...run } of runs) {
    if (run.success_age_seconds !== null) jobAge.set({ job }, run.success_age_seconds)
    jobFailures.set({ job }, run.failures_in_row)
    jobDuration.set({ job }, run.took_ms / 1000)
  }
}

async function readInvariants() {
  const invariants = await selectInvariants({})
  for (const one of [counterexamples, invariantAge]) one.reset()
  for (const { invariant, ...now } of invariants) {
    if (now.counterexamples !== null) counterexamples.set({ invariant }, now.counterexamples)
    invariantAge.set({ invariant }, now.age_seconds)
  }
}
