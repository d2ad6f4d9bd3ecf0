import { senderAddress } from '#mail/send'
import type { Language } from '#shared/languages'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { randomUUID } from 'node:crypto'

interface NewMail {
  messageId: string
  partnerId: number | null
  purpose: 'statement' | 'report' | 'alert'
  statementId: number | null
  scheduleId: number | null
  reportKind: string | null
  runId: number | null
  recipient: string
  language: string
  askedBy: string | null
  orderIds: string[] | null
  invariant: string | null
}

const insertMail = statement<{ id: number }, NewMail>(
  'mail_insert',
  `INSERT INTO mails (message_id, partner_id, purpose, statement_id, schedule_id, report_kind, run_id, recipient, language,
                      asked_by, order_ids, invariant)
   VALUES (:messageId, :partnerId, :purpose, :statementId, :scheduleId, :reportKind, :runId, :recipient, :language, :askedBy, :orderIds, :invariant) RETURNING id`
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
      invariant: null,
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

/** Puts an alert to our staff about failed confirms into the outbox. */
export const queueAlert = (alert: QueuedAlert, trx: TransactionClientContract) =>
  insertAlert({ ...alert, invariant: null }, trx)

/** Stands for an invariant's name in an alert that invariants are not checked. */
export const UNCHECKED = 'unchecked'

interface QueuedInvariantAlert {
  /** A name, or `UNCHECKED`. */
  invariant: string
  recipient: string
  language: Language
}

/** Puts an alert about a broken invariant, or about those that are not checked, into the outbox. */
export const queueInvariantAlert = (alert: QueuedInvariantAlert, trx: TransactionClientContract) =>
  insertAlert({ ...alert, partnerId: null, orderIds: null }, trx)

type NewAlert = Pick<NewMail, 'partnerId' | 'orderIds' | 'invariant' | 'recipient' | 'language'>

async function insertAlert(alert: NewAlert, trx: TransactionClientContract) {
  await insertMail.one(
    {
      ...alert,
      messageId: newMessageId(),
      purpose: 'alert',
      statementId: null,
      scheduleId: null,
      reportKind: null,
      runId: null,
      askedBy: senderAddress(),
    },
    trx
  )
}

const newMessageId = () => `<${randomUUID()}@${senderAddress()!.split('@')[1]}>`
