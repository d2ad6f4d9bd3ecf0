import { journalFailedConfirms } from '#reporting/jobs/journal_failed_confirms'
import { isMailOn } from '#mail/send'
import { selectAlertRecipients } from '#reporting/mails/alert_recipients'
import { queueAlert } from '#reporting/mails/queue_mail'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { takeTurn } from '#shared/turn'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * Failed confirms, by partner, that no alert was sent about. An outage makes one alert a minute, not hundreds: a partner's next
 * alert waits a minute after the last one and then contains all orders since. Longer, and a payment window of five minutes would
 * be over before anybody could ask for a repeat.
 */
const selectUnalerted = statement<{ partnerId: number; orderIds: string[] }>(
  'failed_confirms_unalerted',
  `SELECT j.partner_id AS "partnerId", array_agg(j.order_id ORDER BY j.id) AS "orderIds"
     FROM journal j
     LEFT JOIN LATERAL (SELECT max(queued_at) AS at FROM mails
                         WHERE purpose = 'alert' AND partner_id = j.partner_id) last_alert ON true
    WHERE j.name = 'confirm_failed' AND j.at > clock_timestamp() - interval '1 day'
      AND (last_alert.at IS NULL
           OR last_alert.at < j.at AND last_alert.at < clock_timestamp() - interval '1 minute')
    GROUP BY 1 ORDER BY 1`
)

/**
 * Records confirms that arrived in time and that we failed, and alerts our staff by mail within a minute: the partner can still be
 * asked to repeat the confirm, otherwise the buyer may lose the ticket.
 */
export default async function noteFailedConfirms(): Promise<void> {
  await transaction(async (trx) => {
    await takeTurn('failed_confirms', trx)
    await journalFailedConfirms({}, trx)
    if (isMailOn()) await queueAlerts(trx)
  })
}

async function queueAlerts(trx: TransactionClientContract) {
  const unalerted = await selectUnalerted({}, trx)
  const recipients = unalerted.length > 0 ? await selectAlertRecipients({}, trx) : []
  for (const { partnerId, orderIds } of unalerted) {
    for (const { email, language } of recipients)
      await queueAlert({ partnerId, orderIds, recipient: email, language }, trx)
  }
}
