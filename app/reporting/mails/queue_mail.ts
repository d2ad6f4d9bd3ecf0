import { senderAddress } from '#mail/send'
import type { Language } from '#shared/languages'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { randomUUID } from 'node:crypto'

interface NewMail {
  messageId: string
  partnerId: number
  purpose: 'statement' | 'report' | 'alert'
  statementId: number | null
  scheduleId: number | null
  reportKind: string | null
  runId: number | null
  recipient: string
  language: string
  askedBy: string | null
  orderIds: string[] | null
}

const insertMail = statement<{ id: number }, NewMail>(
  'mail_insert',
  `INSERT INTO mails (message_id, partner_id, purpose, statement_id, schedule_id, report_kind, run_id, recipient, language,
                      asked_by, order_ids)
   VALUES (:messageId, :partnerId, :purpose, :statementId, :scheduleId, :reportKind, :runId, :recipient, :language, :askedBy, :orderIds) RETURNING id`
)

export type QueuedMail = {
  partnerId: number
  /** Its workbook is attached; the mail waits until the run is over. */
  runId: number
  recipient: string
  language: Language
  /** The person whom the mail names for questions. */
  askedBy: string
} & ({ statementId: number } | { scheduleId: number | null; reportKind: string })

/** Puts a mail into the outbox, in the transaction of the change that causes it. */
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
  orderIds: string[]
  recipient: string
  language: Language
}

/** Puts an alert to our staff into the outbox. */
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
