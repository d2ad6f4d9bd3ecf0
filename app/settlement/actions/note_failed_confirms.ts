import { queueAlert } from '#settlement/mails/queue_mail'
import {
  insertFailedConfirms,
  selectAlerted,
  selectRecentAlert,
} from '#settlement/queries/failed_confirms'
import { isMailOn } from '#mail/send'
import { transaction } from '#shared/transaction'
import { takeTurn } from '#shared/turn'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * A confirm that came in time and that we failed may cost its buyer the ticket: recorded within a minute, while the partner
 * can still be asked to repeat it. Each order once.
 */
export default class NoteFailedConfirms {
  async handle(): Promise<{ orders: number }> {
    return transaction(async (trx) => {
      await takeTurn('failed_confirms', trx)
      const failed = await insertFailedConfirms([], trx)
      for (const { partnerId, orderIds } of failed) await alert(partnerId, orderIds, trx)
      return { orders: failed.flatMap(({ orderIds }) => orderIds).length }
    })
  }
}

async function alert(partnerId: number, orderIds: string[], trx: TransactionClientContract) {
  if (!isMailOn() || (await selectRecentAlert.first([partnerId], trx))) return
  for (const { email, language } of await selectAlerted([], trx))
    await queueAlert({ partnerId, orderIds, recipient: email, language }, trx)
}
