import mail from '#config/mail'
import { isMailOn } from '#mail/send'
import { selectAlertRecipients } from '#reporting/mails/alert_recipients'
import { queueInvariantAlert } from '#reporting/mails/queue_mail'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

/** Invariants that are broken since nobody was mailed about them; each is returned to one caller only. */
const markAlerted = statement<{ invariant: string }>(
  'invariants_mark_alerted',
  `UPDATE invariant_states SET alerted_at = clock_timestamp()
    WHERE red_since IS NOT NULL AND alerted_at IS NULL RETURNING invariant`
)

/** Mails whoever is on duty once about each invariant that has become broken. While e-mail is off, the mails wait. */
export default async function alertBrokenInvariants(): Promise<void> {
  if (!isMailOn()) return
  await transaction(async (trx) => {
    const broken = await markAlerted({}, trx)
    const staff = broken.length > 0 ? await selectAlertRecipients({}, trx) : []
    const onDuty = mail.onDuty.map((email) => ({ email, language: 'ru' as const }))
    const recipients = onDuty.length > 0 ? onDuty : staff
    for (const { invariant } of broken)
      for (const { email: recipient, language } of recipients)
        await queueInvariantAlert({ invariant, recipient, language }, trx)
  })
}
