import { insertMail } from '#reporting/mails/queries/outbox'
import type { Language } from '#shared/languages'
import { senderAddress } from '#mail/send'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { randomUUID } from 'node:crypto'

export type QueuedMail = {
  partnerId: number
  /** Its workbook is attached; the mail waits until it is over. */
  runId: number
  recipient: string
  language: Language
  /** Whom the receiver is told to ask. */
  askedBy: string
} & ({ statementId: number } | { scheduleId: number | null; reportKind: string })

/** Puts a mail into the outbox, in the transaction of what it is about: both happen, or neither. */
export async function queueMail(mail: QueuedMail, trx: TransactionClientContract): Promise<number> {
  const isStatement = 'statementId' in mail
  const { partnerId, runId, recipient, language, askedBy } = mail
  const { id } = await insertMail.one(
    {
      messageId: newMessageId(),
      partnerId,
      purpose: isStatement ? 'statement' : 'report',
      statementId: isStatement ? mail.statementId : null,
      scheduleId: isStatement ? null : mail.scheduleId,
      reportKind: isStatement ? null : mail.reportKind,
      runId,
      recipient,
      language,
      askedBy,
      orderIds: null,
    },
    trx
  )
  return id
}

interface QueuedAlert {
  partnerId: number
  /** What it is about. */
  orderIds: string[]
  recipient: string
  language: Language
}

/** Puts an alert to our own staff into the outbox. */
export async function queueAlert(alert: QueuedAlert, trx: TransactionClientContract) {
  const { partnerId, orderIds, recipient, language } = alert
  await insertMail.one(
    {
      messageId: newMessageId(),
      partnerId,
      purpose: 'alert',
      statementId: null,
      scheduleId: null,
      reportKind: null,
      runId: null,
      recipient,
      language,
      askedBy: senderAddress(),
      orderIds,
    },
    trx
  )
}

const newMessageId = () => `<${randomUUID()}@${senderAddress()!.split('@')[1]}>`
