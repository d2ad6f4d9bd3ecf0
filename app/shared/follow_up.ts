/** A job that another one asks for, under an id that keeps it from being queued twice. */
export interface FollowUp {
  job: 'deliver_webhooks' | 'perform_run' | 'send_mail'
  id: string
  data: { id: number }
}
