/** A job that another one asks for; while one with the same `id` waits or runs, it isn't queued twice. */
export interface FollowUp {
  job: 'deliver_webhooks'
  id: string
  data: { id: number }
}
