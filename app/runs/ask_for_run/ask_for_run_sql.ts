import { statement } from '#shared/statement'

// A run that is being cancelled is not joined: it ends without a result, unless it had committed its changes before.
const LIVE = `state IN ('queued', 'running') AND cancel_asked_at IS NULL`

// Some defects appear by the passing of time alone (a refund becomes due) and change no data version.
const HAS_SAME_DEFECTS = `NOT EXISTS (
    SELECT 1 FROM settlement_cases c JOIN settlement_defects d ON d.case_id = c.id
     WHERE c.partner_id = r.partner_id AND greatest(d.found_at, d.gone_at, c.gone_at) > r.finished_at)`

/** A run of the same question: one that is not over, or a finished one whose files are still there. */
export const selectSameQuestion = statement<
  { id: number },
  { question: string; isAnswer: boolean }
>(
  'settlement_run_same_question',
  `(SELECT id FROM settlement_runs WHERE question_sha256 = :question AND ${LIVE})
   UNION ALL
   (SELECT id FROM settlement_runs r
     WHERE question_sha256 = :question AND state = 'succeeded' AND is_settled AND :isAnswer AND (kept_until IS NULL OR kept_until > clock_timestamp())
       AND ${HAS_SAME_DEFECTS}
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

/** No row when the same question was asked concurrently. */
export const insertRun = statement<{ id: number }, NewRun>(
  'settlement_run_insert',
  `INSERT INTO settlement_runs (kind, partner_id, params, language, question_sha256, asked_by, asked_by_kind, request_id)
   VALUES (:kind, :partnerId, :params, :language, :question, :askedBy, :askedByKind, :requestId)
   ON CONFLICT (question_sha256) WHERE ${LIVE} DO NOTHING RETURNING id`
)
