import { queueAlert } from '#reporting/mails/queue_mail'
import {
  insertFailedConfirms,
  selectAlerted,
  selectUnalerted,
} from '#defects/cases/failed_confirms'
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
      const { orders } = await insertFailedConfirms.one({}, trx)
      if (isMailOn()) await alertAll(trx)
      return { orders }
    })
  }
}

async function alertAll(trx: TransactionClientContract) {
  const unalerted = await selectUnalerted({}, trx)
  const recipients = unalerted.length > 0 ? await selectAlerted({}, trx) : []
  for (const { partnerId, orderIds } of unalerted) {
    for (const { email, language } of recipients)
      await queueAlert({ partnerId, orderIds, recipient: email, language }, trx)
  }
}
