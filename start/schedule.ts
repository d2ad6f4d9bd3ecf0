/** name → job → cadence; synced to the queue when a worker starts. */
export const SCHEDULE = [
  { name: 'expire-bookings-and-orders', job: 'expire_overdue', everyMs: 5_000 },
  { name: 'open-and-close-sales', job: 'follow_sales_clock', everyMs: 2_000 },
  { name: 'relay-news', job: 'relay_news', everyMs: 1_000 },
  { name: 'expire-tickets-of-past-events', job: 'expire_tickets', everyMs: 600_000 },
  { name: 'prune-webhook-log', job: 'prune_deliveries', everyMs: 3_600_000 },
  { name: 'check-ledger', job: 'check_ledger', everyMs: 3_600_000 },
  { name: 'prune-sessions', job: 'prune_sessions', everyMs: 3_600_000 },
  { name: 'prune-ticket-openings', job: 'prune_openings', everyMs: 86_400_000 },
  { name: 'follow-statements', job: 'follow_statements', everyMs: 3_600_000 },
  { name: 'start-runs', job: 'start_runs', everyMs: 1_000 },
  { name: 'prune-runs', job: 'prune_runs', everyMs: 3_600_000 },
  { name: 'find-defects', job: 'find_defects', everyMs: 600_000 },
] as const

/** queue → how many of its jobs a worker runs at once, when it isn't told otherwise. */
export const QUEUES = { clock: 2, webhooks: 20, runs: 1 } as const
export type QueueName = keyof typeof QUEUES

/** job that another one asks for → its queue. */
export const QUEUE_OF = { deliver_webhooks: 'webhooks', perform_run: 'runs' } as const
type AskedJob = keyof typeof QUEUE_OF

export type JobName = (typeof SCHEDULE)[number]['job'] | AskedJob
