import { statement } from '#shared/statement'

// A run that is being cancelled is not joined: it ends without a result, unless it had committed its changes before.
const LIVE = `state IN ('queued', 'running') AND cancel_asked_at IS NULL`

// Some defects appear by the passing of time alone (a refund becomes due) and change no data version.
const HAS_SAME_DEFECTS = `NOT EXISTS (
    SELECT 1 FROM settlement_cases c JOIN settlement_defects d ON d.case_id = c.id
     WHERE c.partner_id = r.partner_id AND greatest(d.found_at, d.gone_at, c.gone_at) > r.finished_at)`

/** A run of the same request: one that is not over, or, if allowed, a finished one whose files are still there. */
export const selectSameRequest = statement<
  { id: number },
  { requestHash: string; mayReuseFinished: boolean }
>(
  'settlement_run_same_request',
  `(SELECT id FROM settlement_runs WHERE request_sha256 = :requestHash AND ${LIVE})
   UNION ALL
   (SELECT id FROM settlement_runs r
     WHERE request_sha256 = :requestHash AND state = 'succeeded' AND saw_earlier_writes AND :mayReuseFinished
       AND (kept_until IS NULL OR kept_until > clock_timestamp())
       AND ${HAS_SAME_DEFECTS}
     ORDER BY id DESC LIMIT 1)
   LIMIT 1`
)

interface NewRun {
  kind: string
  partnerId: number | null
  params: string
  language: string
  requestHash: string
  askedBy: string
  askedByKind: string
  requestId: string | null
}

/**
 * No row when the same was requested concurrently. Without a conflict target, because processes of 0.2.0 and the next release have
 * unique indexes of different names and columns for it.
 */
export const insertRun = statement<{ id: number }, NewRun>(
  'settlement_run_insert',
  `INSERT INTO settlement_runs (kind, partner_id, params, language, request_sha256, asked_by, asked_by_kind, request_id)
   VALUES (:kind, :partnerId, :params, :language, :requestHash, :askedBy, :askedByKind, :requestId)
   ON CONFLICT DO NOTHING RETURNING id`
)
