import type { Claim } from '#webhooks/deliver_webhooks/claim_deliveries'
import type { Outcome } from '#webhooks/deliver_webhooks/post'
import { delayAfter } from '#webhooks/deliver_webhooks/retry_schedule'
import { isOurFault } from '#webhooks/deliver_webhooks/send'
import { statement } from '#shared/statement'

export interface Attempted {
  claim: Claim
  outcome: Outcome
}

interface EndpointHealth {
  /** Since the last success; null while the endpoint works. */
  failing_seconds: number | null
  /** Whether staff were notified of the failure. */
  is_notified: boolean
}

// Rows are found by their ids alone and take their results from the arrays, so that a plan that was made while the table
// was empty has no join to get wrong.
const storeAttempts = statement<
  EndpointHealth,
  {
    endpointId: number
    ids: bigint[]
    attempts: number[]
    startedAt: Date[]
    durationsMs: number[]
    statuses: (number | null)[]
    failures: (string | null)[]
    responses: (string | null)[]
    delaysSeconds: (number | null)[]
    pauseAfter: number
    areCounted: boolean[]
  }
>(
  'webhook_settle',
  `WITH tried AS MATERIALIZED (
     SELECT * FROM unnest(:ids::bigint[], :attempts::int[], :startedAt::timestamptz[], :durationsMs::int[], :statuses::int[],
                          :failures::text[], :responses::text[], :delaysSeconds::float8[], :areCounted::boolean[])
       AS tried (id, attempt, started_at, duration_ms, http_status, failure, response, delay, counted)),
   logged AS (
     INSERT INTO webhook_attempts (delivery_id, attempt, started_at, duration_ms, http_status, failure, response)
     SELECT id, attempt, started_at, duration_ms, http_status, failure, response FROM tried
     ON CONFLICT DO NOTHING),
   settled AS (
     UPDATE webhook_deliveries d
        SET status = CASE WHEN (:failures::text[])[place] IS NULL THEN 'delivered'
                          WHEN (:delaysSeconds::float8[])[place] IS NULL THEN 'failed' ELSE status END,
            next_at = clock_timestamp() + make_interval(secs => coalesce((:delaysSeconds::float8[])[place], 0)), locked_until = NULL,
            ended_at = CASE WHEN (:failures::text[])[place] IS NULL OR (:delaysSeconds::float8[])[place] IS NULL THEN clock_timestamp() END
      WHERE id = ANY (:ids) AND attempts = (:attempts::int[])[place]),
   seen AS (SELECT bool_or(failure IS NULL) AS any_success, count(*) AS number, count(failure) AS failures
              FROM tried WHERE counted)
   UPDATE webhook_endpoints e
      SET succeeded = succeeded + number - failures, failed = failed + failures,
          last_success_at = CASE WHEN any_success THEN clock_timestamp() ELSE last_success_at END,
          failing_since = CASE any_success WHEN true THEN NULL WHEN false THEN coalesce(failing_since, clock_timestamp())
                          ELSE failing_since END,
          failure_notified_at = CASE WHEN any_success IS NOT TRUE THEN failure_notified_at END,
          paused_until = CASE WHEN NOT any_success AND number >= :pauseAfter THEN clock_timestamp() + interval '60 seconds' END
     FROM seen WHERE e.id = :endpointId
   RETURNING extract(epoch FROM clock_timestamp() - failing_since)::float8 AS failing_seconds,
             failure_notified_at IS NOT NULL AS is_notified`.replaceAll(
    '[place]',
    '[array_position(:ids, id)]'
  )
)

/**
 * Records the results of a batch and when to retry. An attempt that outlived its lease is only logged. A batch of at least
 * `pauseAfter` attempts that all failed pauses the endpoint for a minute. A failure of our own isn't retried until it is
 * replayed, and doesn't count against the endpoint.
 */
export function recordAttempts(endpointId: number, attempted: Attempted[], pauseAfter: number) {
  const column = <Value>(read: (each: Attempted) => Value) => attempted.map(read)
  const counted = ({ outcome }: Attempted) => !isOurFault(outcome)
  const delay = (each: Attempted) =>
    counted(each) ? delayAfter(each.claim.attempt_of_series, each.outcome.retryAfter) : null
  return storeAttempts.one({
    endpointId,
    ids: column(({ claim }) => claim.id),
    attempts: column(({ claim }) => claim.attempt),
    startedAt: column(({ outcome }) => outcome.startedAt),
    durationsMs: column(({ outcome }) => outcome.durationMs),
    statuses: column(({ outcome }) => outcome.status),
    failures: column(({ outcome }) => outcome.failure),
    responses: column(({ outcome }) => outcome.response),
    delaysSeconds: column(delay),
    pauseAfter,
    areCounted: column(counted),
  })
}
