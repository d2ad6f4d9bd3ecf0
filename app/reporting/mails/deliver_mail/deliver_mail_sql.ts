import { statementStatus, type PaymentStatus, type StatementStatus } from '#ledger/statement_status'
import type { OpenCases } from '#defects/cases/open_cases_of_period'
import { statement } from '#shared/statement'
import type { Language } from '#shared/languages'

/** Longer than sending can take; after it, the mail of a worker that died is sent again. */
const LEASE_SECONDS = 300

/** The figures of a workbook or of a defect list, as its run has stored them: those that the file has. Money is decimal digits. */
export interface RunFigures {
  /** Positive: the partner owes us. */
  closingTenge?: string
  salesTenge?: string
  /** Negative or 0. */
  refundsTenge?: string
  openCases?: OpenCases
}

/** A mail to send, with what its text needs. */
export interface ClaimedMail {
  id: number
  messageId: string
  /** Null for an alert about an invariant, which concerns no partner. */
  partnerId: number | null
  partnerName: string | null
  purpose: 'statement' | 'report' | 'alert'
  reportKind: string | null
  statementNumber: number | null
  recipient: string
  language: Language
  attempts: number
  askedBy: string
  /** The orders that an alert is about; null for other mails. */
  orderIds: string[] | null
  /** The invariant that an alert is about; null for other mails. */
  invariant: string | null
  /** The run whose workbook is attached; null for an alert, like all columns of the run. */
  runId: number | null
  statementStatus: StatementStatus | null
  /** The statement's closing balance; positive: the partner owes us. Null without a statement. */
  closingTenge: bigint | null
  /** What is due for the statement's period, what is paid of it, and what that means; null without a statement in force. */
  dueTenge: bigint | null
  paidTenge: bigint | null
  paymentStatus: PaymentStatus | null
  runState: string | null
  runError: { code: string } | null
  /** Null unless the run has succeeded. */
  runFigures: RunFigures | null
  /** ISO 8601; null for runs without a period. */
  from: string | null
  to: string | null
  /** Names the directory of the run's files. */
  runClaim: string | null
}

const ISO = 'YYYY-MM-DD"T"HH24:MI:SS"Z"'

/**
 * Takes a due mail whose run, if it has one, is over. No row when another worker has it.
 *
 * PostgreSQL refuses a join to the updated row `m` within an outer join, so `self` is the same row again, by its id: alerts
 * have no run, and reports of open periods no statement. The statement is found through the run and not through
 * `mails.statement_id`, because the report of a closed period carries the workbook of its statement too: its period is in the
 * text, and a withdrawn one is not sent.
 */
export const claimMail = statement<ClaimedMail, { id: number; claim: string }>(
  'mail_claim',
  `UPDATE mails m
      SET state = 'sending', claim = :claim, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
          attempts = m.attempts + 1, first_tried_at = coalesce(m.first_tried_at, clock_timestamp())
     FROM mails self
     LEFT JOIN partners p ON p.id = self.partner_id
     LEFT JOIN settlement_runs r ON r.id = self.run_id
     LEFT JOIN LATERAL (
       SELECT number, ${statementStatus('s')} AS status, closing_tenge, paid.due_tenge, paid.paid_tenge, paid.payment_status,
              to_char(period_from AT TIME ZONE 'UTC', '${ISO}') AS "from",
              to_char(period_to AT TIME ZONE 'UTC', '${ISO}') AS "to"
         FROM settlement_statements s LEFT JOIN settlement_statement_payments paid ON paid.statement_id = s.id
        WHERE s.id = (r.params ->> 'statementId')::integer) issued ON true
    WHERE m.id = :id AND self.id = :id
      AND (m.run_id IS NULL OR r.state NOT IN ('queued', 'running'))
      AND m.next_at <= clock_timestamp()
      AND (m.state = 'queued' OR m.state = 'sending' AND m.lease_until <= clock_timestamp())
   RETURNING m.id, m.message_id AS "messageId", m.partner_id AS "partnerId", p.name AS "partnerName", m.purpose,
             m.report_kind AS "reportKind", m.recipient, m.language, m.attempts, m.asked_by AS "askedBy",
             m.order_ids AS "orderIds", m.invariant, m.run_id AS "runId", r.state AS "runState", r.error AS "runError", r.result AS "runFigures", r.claim AS "runClaim",
             issued.number AS "statementNumber", issued.status AS "statementStatus",
             issued.closing_tenge AS "closingTenge", issued.due_tenge AS "dueTenge", issued.paid_tenge AS "paidTenge", issued.payment_status AS "paymentStatus", coalesce(issued.from, r.params ->> 'from') AS "from",
             coalesce(issued.to, r.params ->> 'to') AS "to"`
)

export interface WorkbookFile {
  name: string
  bytes: number
  sha256: string
}

/** The workbook, or the archive of workbooks when one cannot hold all rows. */
export const selectWorkbook = statement<WorkbookFile, { runId: number }>(
  'mail_workbook',
  `SELECT name, bytes::float8 AS bytes, sha256 FROM settlement_run_files
    WHERE run_id = :runId AND (name LIKE '%.xlsx' OR name LIKE '%.zip') ORDER BY id LIMIT 1`
)

/** No row when another worker has claimed the mail. */
export const settleSent = statement<
  { id: number },
  { id: number; claim: string; subject: string; sha256: string | null }
>(
  'mail_sent',
  `UPDATE mails SET state = 'sent', sent_at = clock_timestamp(), ended_at = clock_timestamp(), lease_until = NULL,
          failure = NULL, failure_words = NULL, subject = :subject, attached_sha256 = :sha256
    WHERE id = :id AND claim = :claim AND state = 'sending' RETURNING id`
)

/** Retries after `delay` seconds; fails for good when `delay` is null or ends more than a day after the first attempt. */
export const settleNotSent = statement<
  { state: string },
  {
    mailId: number
    claim: string
    delay: number | null
    failure: string | null
    serverReply: string | null
  }
>(
  'mail_not_sent',
  `UPDATE mails
      SET state = CASE WHEN ends THEN 'failed' ELSE 'queued' END, lease_until = NULL, failure = :failure, failure_words = :serverReply,
          ended_at = CASE WHEN ends THEN clock_timestamp() END,
          next_at = clock_timestamp() + make_interval(secs => coalesce(:delay::float8, 0))
     FROM (SELECT id, :delay::float8 IS NULL OR
                  clock_timestamp() + make_interval(secs => :delay::float8) > first_tried_at + interval '24 hours' AS ends
             FROM mails WHERE id = :mailId) judged
    WHERE mails.id = judged.id AND claim = :claim AND state = 'sending'
   RETURNING state`
)
