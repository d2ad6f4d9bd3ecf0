import mail from '#config/mail'
import { ensureInvariantStates } from '#invariants/invariant_states'
import { readOverdue, UNCHECKED_AFTER_MS } from '#invariants/queries/read_overdue'
import { isMailOn } from '#mail/send'
import { selectAlertRecipients } from '#reporting/mails/alert_recipients'
import { queueInvariantAlert, UNCHECKED } from '#reporting/mails/queue_mail'
import { MINUTE_MS } from '#shared/days'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Invariants that are broken since nobody was mailed about them; each is returned to one caller only. */
const markAlerted = statement<{ invariant: string }>(
  'invariants_mark_alerted',
  `UPDATE invariant_states SET alerted_at = clock_timestamp()
    WHERE red_since IS NOT NULL AND alerted_at IS NULL RETURNING invariant`
)

/** Those that are checked again, so that another time is mailed again. */
const forgetUnchecked = statement<object, { overdue: string[] }>(
  'invariants_forget_unchecked',
  `UPDATE invariant_states SET unchecked_alerted_at = NULL
    WHERE unchecked_alerted_at IS NOT NULL AND invariant <> ALL(:overdue)`
)
/** Each is returned to one caller only. */
const markUnchecked = statement<object, { names: string[] }>(
  'invariants_mark_unchecked',
  `UPDATE invariant_states SET unchecked_alerted_at = clock_timestamp()
    WHERE invariant = ANY(:names) AND unchecked_alerted_at IS NULL RETURNING invariant`
)

/** Those that follow within this time are in the same mail: mostly all stop at once, and are late one after another. */
const SAME_MAIL_MS = 30 * MINUTE_MS

/**
 * Mails whoever is on duty once about each invariant that has become broken, and once about those that are not checked any more.
 * While e-mail is off, the mails wait.
 */
export default async function alertBrokenInvariants(): Promise<void> {
  await ensureInvariantStates()
  if (!isMailOn()) return
  await transaction(async (trx) => {
    const broken = await markAlerted({}, trx)
    await mailOnDuty(
      broken.map(({ invariant }) => invariant),
      trx
    )
  })
  const overdue = await readOverdue()
  await transaction(async (trx) => {
    await forgetUnchecked({ overdue: overdue.map(({ name }) => name) }, trx)
    const isNew = overdue.some((each) => !each.isAlerted && each.overdueMs > UNCHECKED_AFTER_MS)
    if (!isNew) return
    const together = overdue.filter(
      ({ overdueMs }) => overdueMs > UNCHECKED_AFTER_MS - SAME_MAIL_MS
    )
    const marked = await markUnchecked({ names: together.map(({ name }) => name) }, trx)
    if (marked.length > 0) await mailOnDuty([UNCHECKED], trx)
  })
}

async function mailOnDuty(invariants: string[], trx: TransactionClientContract) {
  if (invariants.length === 0) return
  const onDuty = mail.onDuty.map((email) => ({ email, language: 'ru' as const }))
  const recipients = onDuty.length > 0 ? onDuty : await selectAlertRecipients({}, trx)
  for (const invariant of invariants)
    for (const { email: recipient, language } of recipients)
      await queueInvariantAlert({ invariant, recipient, language }, trx)
}
