import type { StatementStatus } from '#ledger/statement_status'
import { statement } from '#shared/statement'
import type { Language } from '#shared/languages'

/** Longer than a mail can take: what a worker that died had in hand is sent again after that. */
const LEASE_SECONDS = 300

/** Mails whose turn it is, and whose run, if they have one, is over. */
export const selectDueMails = statement<{ id: number }>(
  'mails_due',
  `SELECT m.id FROM mails m LEFT JOIN settlement_runs r ON r.id = m.run_id
    WHERE m.state IN ('queued', 'sending') AND m.next_at <= clock_timestamp()
      AND (m.state = 'queued' OR m.lease_until <= clock_timestamp())
      AND (m.run_id IS NULL OR r.state NOT IN ('queued', 'running'))
    ORDER BY m.next_at, m.id LIMIT 50`
)

/** All that a mail tells of. */
export interface ClaimedMail {
  id: number
  messageId: string
  partnerId: number
  partnerName: string
  purpose: 'statement' | 'report' | 'alert'
  reportKind: string | null
  statementNumber: number | null
  recipient: string
  language: Language
  attempts: number
  askedBy: string
  /** Of an alert: the orders that it is about. */
  orderIds: string[] | null
  /** Null for an alert, as is all that a run has. */
  runId: number | null
  statementStatus: StatementStatus | null
  runState: string | null
  runError: { code: string } | null
  /** Of the period or range; null for runs that have none. */
  from: string | null
  to: string | null
  /** Where the run has left its files. */
  runClaim: string | null
}

const ISO = 'YYYY-MM-DD"T"HH24:MI:SS"Z"'

export const claimMail = statement<ClaimedMail, { id: number; claim: string }>(
  'mail_claim',
  `UPDATE mails m
      SET state = 'sending', claim = :claim, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
          attempts = m.attempts + 1, first_tried_at = coalesce(m.first_tried_at, clock_timestamp())
     FROM partners p, mails own
     LEFT JOIN settlement_runs r ON r.id = own.run_id
     LEFT JOIN LATERAL (
       SELECT number, status, to_char(period_from AT TIME ZONE 'UTC', '${ISO}') AS "from",
              to_char(period_to AT TIME ZONE 'UTC', '${ISO}') AS "to"
         FROM settlement_statements WHERE id = (r.params ->> 'statementId')::integer) told ON true
    WHERE m.id = :id AND own.id = :id AND p.id = m.partner_id
      AND (m.run_id IS NULL OR r.state NOT IN ('queued', 'running'))
      AND m.next_at <= clock_timestamp()
      AND (m.state = 'queued' OR m.state = 'sending' AND m.lease_until <= clock_timestamp())
   RETURNING m.id, m.message_id AS "messageId", m.partner_id AS "partnerId", p.name AS "partnerName", m.purpose,
             m.report_kind AS "reportKind", m.recipient, m.language, m.attempts, m.asked_by AS "askedBy",
             m.order_ids AS "orderIds", m.run_id AS "runId", r.state AS "runState", r.error AS "runError", r.claim AS "runClaim",
             told.number AS "statementNumber", told.status AS "statementStatus", coalesce(told.from, r.params ->> 'from') AS "from",
             coalesce(told.to, r.params ->> 'to') AS "to"`
)

export interface WorkbookFile {
  name: string
  bytes: number
  sha256: string
}

/** The book, or the archive of a book with more rows than one holds. */
export const selectWorkbook = statement<WorkbookFile, { runId: number }>(
  'mail_workbook',
  `SELECT name, bytes::float8 AS bytes, sha256 FROM settlement_run_files
    WHERE run_id = :runId AND (name LIKE '%.xlsx' OR name LIKE '%.zip') ORDER BY id LIMIT 1`
)

/** No row when somebody else has it by now. */
export const settleSent = statement<
  { id: number },
  { id: number; claim: string; subject: string; sha256: string | null }
>(
  'mail_sent',
  `UPDATE mails SET state = 'sent', sent_at = clock_timestamp(), ended_at = clock_timestamp(), lease_until = NULL,
          failure = NULL, failure_words = NULL, subject = :subject, attached_sha256 = :sha256
    WHERE id = :id AND claim = :claim AND state = 'sending' RETURNING id`
)

/** Tries again after `delay` seconds, unless a day has passed by then or it is null: then it has failed. */
export const settleNotSent = statement<
  { state: string },
  {
    mailId: number
    claim: string
    delay: number | null
    failure: string | null
    words: string | null
  }
>(
  'mail_not_sent',
  `UPDATE mails
      SET state = CASE WHEN ends THEN 'failed' ELSE 'queued' END, lease_until = NULL, failure = :failure, failure_words = :words,
          ended_at = CASE WHEN ends THEN clock_timestamp() END,
          next_at = clock_timestamp() + make_interval(secs => coalesce(:delay::float8, 0))
     FROM (SELECT id, :delay::float8 IS NULL OR
                  clock_timestamp() + make_interval(secs => :delay::float8) > first_tried_at + interval '24 hours' AS ends
             FROM mails WHERE id = :mailId) judged
    WHERE mails.id = judged.id AND claim = :claim AND state = 'sending'
   RETURNING state`
)

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

export const insertMail = statement<{ id: number }, NewMail>(
  'mail_insert',
  `INSERT INTO mails (message_id, partner_id, purpose, statement_id, schedule_id, report_kind, run_id, recipient, language,
                      asked_by, order_ids)
   VALUES (:messageId, :partnerId, :purpose, :statementId, :scheduleId, :reportKind, :runId, :recipient, :language, :askedBy, :orderIds) RETURNING id`
)
