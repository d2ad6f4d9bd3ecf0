import { statement } from '#shared/statement'

// One that is being stopped may go on for as long as its lease, and then ends without an answer.
const LIVE = `state IN ('queued', 'running') AND cancel_asked_at IS NULL`

// What only the passing of time brings to light, as a refund that is due by now, is in no journal.
const IS_AS_FOUND = `NOT EXISTS (
    SELECT 1 FROM settlement_cases c JOIN settlement_defects d ON d.case_id = c.id
     WHERE c.partner_id = r.partner_id AND greatest(d.found_at, d.gone_at, c.gone_at) > r.finished_at)`

/** The run that answers the question already: one that is not over, or one whose files are still there. */
export const selectSameQuestion = statement<
  { id: number },
  { question: string; isAnswer: boolean }
>(
  'settlement_run_same_question',
  `(SELECT id FROM settlement_runs WHERE question_sha256 = :question AND ${LIVE})
   UNION ALL
   (SELECT id FROM settlement_runs r
     WHERE question_sha256 = :question AND state = 'succeeded' AND is_settled AND :isAnswer AND (kept_until IS NULL OR kept_until > clock_timestamp())
       AND ${IS_AS_FOUND}
     ORDER BY id DESC LIMIT 1)
   LIMIT 1`
)

interface NewRun {
  kind: string
  partnerId: number | null
  params: string
  language: string
  question: string
  askedBy: string
  askedByKind: string
  requestId: string | null
}

/** No row when somebody has asked the same at this very moment. */
export const insertRun = statement<{ id: number }, NewRun>(
  'settlement_run_insert',
  `INSERT INTO settlement_runs (kind, partner_id, params, language, question_sha256, asked_by, asked_by_kind, request_id)
   VALUES (:kind, :partnerId, :params, :language, :question, :askedBy, :askedByKind, :requestId)
   ON CONFLICT (question_sha256) WHERE ${LIVE} DO NOTHING RETURNING id`
)

/** The run, when it is not over: it stops within a second, or is never begun. */
export const askToCancel = statement<
  { kind: string; partnerId: number | null; state: string },
  { runId: number }
>(
  'settlement_run_cancel',
  `UPDATE settlement_runs
      SET cancel_asked_at = clock_timestamp(),
          state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END,
          finished_at = CASE WHEN state = 'queued' THEN clock_timestamp() END
    WHERE id = :runId AND state IN ('queued', 'running')
   RETURNING kind, partner_id AS "partnerId", state`
)
