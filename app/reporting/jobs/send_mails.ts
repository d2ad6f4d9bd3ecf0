import { selectDueMails } from '#reporting/mails/queries/outbox'
import { isMailOn } from '#mail/send'
import type { FollowUp } from '#shared/follow_up'

/** A job that died with its worker must not keep the next one from being queued for long. */
const BUCKET_MS = 60_000

/** Asks for the mails whose turn it is; while e-mail is off they wait. What Redis forgets is asked for again seconds later. */
export default async function sendMails(): Promise<FollowUp[]> {
  if (!isMailOn()) return []
  const bucket = Math.floor(Date.now() / BUCKET_MS)
  const due = await selectDueMails({})
  return due.map(({ id }) => {
    return { job: 'send_mail', id: `mail-${id}-${bucket}`, data: { id } }
  })
}
