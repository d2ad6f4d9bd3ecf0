import { statement } from '#shared/statement'

// One that is being stopped may go on for as long as its lease, and then ends without an answer.
const LIVE = `state IN ('queued', 'running') AND cancel_asked_at IS NULL`

// What only the passing of time brings to light, as a refund that is due by now, is in no journal.
const IS_AS_FOUND = `NOT EXISTS (
    SELECT 1 FROM settlement_cases c JOIN settlement_defects d ON d.case_id = c.id
     WHERE c.partner_id = r.partner_id AND greatest(d.found_at, d.gone_at, c.gone_at) > r.finished_at)`

/** The run that answers the question already: one that is not over, or one whose files are still there. */
export const selectSameQuestion = statement<{ id: number }>(
  'settlement_run_same_question',
  `(SELECT id FROM settlement_runs WHERE question_sha256 = $1 AND ${LIVE})
   UNION ALL
   (SELECT id FROM settlement_runs r
     WHERE question_sha256 = $1 AND state = 'succeeded' AND is_settled AND $2 AND (kept_until IS NULL OR kept_until > clock_timestamp())
       AND ${IS_AS_FOUND}
     ORDER BY id DESC LIMIT 1)
   LIMIT 1`
)

/** No row when somebody has asked the same at this very moment. */
export const insertRun = statement<{ id: number }>(
  'settlement_run_insert',
  `INSERT INTO settlement_runs (kind, partner_id, params, language, question_sha256, asked_by, asked_by_kind, request_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
   ON CONFLICT (question_sha256) WHERE ${LIVE} DO NOTHING RETURNING id`
)

/** Entries that tell of a document, and change none. */
const ABOUT_DOCUMENTS = [
  'run_asked',
  'run_cancelled',
  'run_file_downloaded',
  'settlement_exported',
  'statement_mailed',
  'mail_sent',
  'mail_failed',
  'report_schedule_run',
]

/**
 * Changes whenever a document about the partner could say something else. What happens to the partner and in its events is
 * in the journal, all but refused requests and scans, matches of a register, and orders whose window ends by itself.
 */
export const selectDataVersion = statement<{ version: string }>(
  'settlement_data_version',
  `SELECT concat_ws(' ', current_date,
     (SELECT id FROM journal
       WHERE partner_id = $1 AND name NOT IN (${ABOUT_DOCUMENTS.map((name) => `'${name}'`).join(', ')})
       ORDER BY partner_id DESC, id DESC LIMIT 1),
     (SELECT max(received_at) FROM confirm_attempts WHERE partner_id = $1),
     (SELECT max(at) FROM refused_refunds WHERE partner_id = $1),
     (SELECT max(matched_at) FROM partner_registers WHERE partner_id = $1),
     (SELECT max(last.id) FROM event_grants g,
             LATERAL (SELECT id FROM journal WHERE event_id = g.event_id ORDER BY event_id DESC, id DESC LIMIT 1) last
       WHERE g.partner_id = $1),
     (SELECT max(id) FROM ticket_scans),
     (SELECT max(window_ends_at) FROM orders
       WHERE partner_id = $1 AND stored_status = 'pending' AND window_ends_at <= clock_timestamp())) AS version`
)

/** The run, when it is not over: it stops within a second, or is never begun. */
export const askToCancel = statement<{ kind: string; partnerId: number | null; state: string }>(
  'settlement_run_cancel',
  `UPDATE settlement_runs
      SET cancel_asked_at = clock_timestamp(),
          state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END,
          finished_at = CASE WHEN state = 'queued' THEN clock_timestamp() END
    WHERE id = $1 AND state IN ('queued', 'running')
   RETURNING kind, partner_id AS "partnerId", state`
)
