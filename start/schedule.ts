/** name → job → cadence; synced to the queue when a worker starts. */
export const SCHEDULE = [
  { name: 'expire-bookings-and-orders', job: 'expire_overdue', everyMs: 5_000 },
  { name: 'open-and-close-sales', job: 'follow_sales_clock', everyMs: 15_000 },
] as const

export type JobName = (typeof SCHEDULE)[number]['job']
