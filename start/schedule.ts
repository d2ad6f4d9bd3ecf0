/** The jobs that run at regular intervals; a starting worker writes them to their queues. */
export const SCHEDULE = [
  { name: 'expire-bookings-and-orders', job: 'expire_overdue', everyMs: 5_000, queue: 'clock' },
  { name: 'open-and-close-sales', job: 'follow_sales_clock', everyMs: 2_000, queue: 'clock' },
  { name: 'relay-news', job: 'relay_news', everyMs: 1_000, queue: 'clock' },
  {
    name: 'expire-tickets-of-past-events',
    job: 'expire_tickets',
    everyMs: 600_000,
    queue: 'clock',
  },
  { name: 'prune-webhook-log', job: 'prune_deliveries', everyMs: 3_600_000, queue: 'clock' },
  { name: 'check-ledger', job: 'check_ledger', everyMs: 3_600_000, queue: 'checks' },
  { name: 'prune-sessions', job: 'prune_sessions', everyMs: 3_600_000, queue: 'clock' },
  {
    name: 'report-sign-in-failures',
    job: 'report_sign_in_failures',
    everyMs: 60_000,
    queue: 'clock',
  },
  { name: 'prune-ticket-openings', job: 'prune_openings', everyMs: 86_400_000, queue: 'clock' },
  { name: 'follow-statements', job: 'follow_statements', everyMs: 3_600_000, queue: 'clock' },
  { name: 'start-runs', job: 'start_runs', everyMs: 1_000, queue: 'clock' },
  { name: 'prune-runs', job: 'prune_runs', everyMs: 3_600_000, queue: 'clock' },
  { name: 'mail-statements', job: 'mail_statements', everyMs: 5_000, queue: 'clock' },
  { name: 'send-mails', job: 'send_mails', everyMs: 5_000, queue: 'clock' },
  { name: 'start-reports', job: 'start_reports', everyMs: 15_000, queue: 'clock' },
  { name: 'verify-statements', job: 'verify_statements', everyMs: 600_000, queue: 'checks' },
  { name: 'judge-conduct', job: 'judge_conduct', everyMs: 3_600_000, queue: 'checks' },
  {
    name: 'record-saved-attempts',
    job: 'record_saved_attempts',
    everyMs: 20_000,
    queue: 'clock',
  },
  { name: 'note-failed-confirms', job: 'note_failed_confirms', everyMs: 20_000, queue: 'clock' },
  { name: 'judge-failed-confirms', job: 'judge_failed_confirms', everyMs: 20_000, queue: 'checks' },
  { name: 'erase-old-buyers', job: 'erase_old_buyers', everyMs: 600_000, queue: 'checks' },
  {
    name: 'check-invariants',
    job: 'check_invariants',
    everyMs: 15_000,
    queue: 'invariants',
  },
  {
    name: 'alert-broken-invariants',
    job: 'alert_broken_invariants',
    everyMs: 15_000,
    queue: 'clock',
  },
  { name: 'keep-months', job: 'keep_months', everyMs: 3_600_000, queue: 'clock' },
  { name: 'note-high-water', job: 'note_high_water', everyMs: 10_000, queue: 'clock' },
  { name: 'find-defects', job: 'find_defects', everyMs: 600_000, queue: 'checks' },
] as const

/** queue → how many of its jobs a worker runs at once by default. Long jobs have their own queues, so that no sweep waits. */
export const QUEUES = {
  clock: 2,
  checks: 1,
  invariants: 1,
  // More than receivers that may hang at the same time: each keeps its place for 15 seconds.
  webhooks: 60,
  runs: 1,
  mails: 2,
} as const
export type QueueName = keyof typeof QUEUES

/** job that is added on request, not by schedule → its queue. */
export const QUEUE_OF = {
  deliver_webhooks: 'webhooks',
  perform_run: 'runs',
  send_mail: 'mails',
} as const
export type AskedJob = keyof typeof QUEUE_OF
export type ScheduledJob = (typeof SCHEDULE)[number]['job']
export type JobName = ScheduledJob | AskedJob
