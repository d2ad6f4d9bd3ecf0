import { maySendMail } from '#mail/send'
import { MINUTE_MS } from '#shared/days'
import type { FollowUp } from '#shared/follow_up'
import { statement } from '#shared/statement'

/** A job that died with its worker must not block the next one under the same id for longer than this. */
const BUCKET_MS = MINUTE_MS

/** Mails to send; those with a run wait until it is over. */
const selectDueMails = statement<{ id: number }>(
  'mails_due',
  `SELECT m.id FROM mails m LEFT JOIN settlement_runs r ON r.id = m.run_id
    WHERE m.state IN ('queued', 'sending') AND m.next_at <= clock_timestamp()
      AND (m.state = 'queued' OR m.lease_until <= clock_timestamp())
      AND (m.run_id IS NULL OR r.state NOT IN ('queued', 'running'))
    ORDER BY m.next_at, m.id LIMIT 50`
)

/** Queues a job for each due mail; while e-mail is off, or the deployment is quiet, they wait. A job that Redis loses is queued again seconds later. */
export default async function queueDueMails(): Promise<FollowUp[]> {
  if (!maySendMail()) return []
  const bucket = Math.floor(Date.now() / BUCKET_MS)
  const due = await selectDueMails({})
  return due.map(({ id }) => {
    return { job: 'send_mail', id: `mail-${id}-${bucket}`, data: { id } }
  })
}
