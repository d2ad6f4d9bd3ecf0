import { deliverMail } from '#reporting/mails/deliver_mail/deliver_mail'

/** Sends one mail. */
export default function sendMail({ id }: { id: number }): Promise<void> {
  return deliverMail(id)
}
