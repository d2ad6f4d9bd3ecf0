import { statement } from '#shared/statement'

export interface Figures {
  live_bookings: number
  pending_orders: number
  booking_overdue_seconds: number
  order_overdue_seconds: number
  relay_age_seconds: number
  failed_confirms: number
  failed_runs: number
  failed_mails: number
  workers: number
  lone_workers: number
}

/** Current figures of the business, each from a partial index of live rows. */
export const selectFigures = statement<Figures>(
  'telemetry_figures',
  `WITH now AS MATERIALIZED (SELECT clock_timestamp() AS now),
   age (of_booking, of_order) AS (
     SELECT (SELECT min(expires_at) FROM bookings WHERE stored_status = 'active'),
            (SELECT min(window_ends_at) + interval '30 s' FROM orders WHERE stored_status = 'pending'))
   SELECT (SELECT count(*)::int FROM bookings WHERE stored_status = 'active' AND expires_at > now) AS live_bookings,
          (SELECT count(*)::int FROM orders WHERE stored_status = 'pending' AND window_ends_at > now) AS pending_orders,
          greatest(0, coalesce(extract(epoch FROM now - of_booking), 0))::float8 AS booking_overdue_seconds,
          greatest(0, coalesce(extract(epoch FROM now - of_order), 0))::float8 AS order_overdue_seconds,
          (SELECT extract(epoch FROM now - relayed_at)::float8 FROM webhook_relay) AS relay_age_seconds,
          (SELECT count(*)::int FROM journal j, LATERAL (SELECT * FROM orders WHERE id = j.order_id OFFSET 0) o
            WHERE j.name = 'confirm_failed' AND j.at > now - interval '1 hour' AND o.confirmed_at IS NULL) AS failed_confirms,
          (SELECT count(*)::int FROM settlement_runs
            WHERE state = 'failed' AND finished_at > now - interval '1 hour' AND error ->> 'code' IN ('CRASHED', 'DISK_FULL', 'INTERNAL_ERROR')) AS failed_runs,
          (SELECT count(*)::int FROM mails WHERE state = 'failed' AND ended_at > now - interval '1 hour') AS failed_mails,
          (SELECT count(*)::int FROM workers WHERE beat_at > now - interval '45 s') AS workers,
          (SELECT count(*)::int FROM workers WHERE beat_at > now - interval '45 s' AND is_alone) AS lone_workers
     FROM now, age`
)

/** Orders of the last day by status; a pending one past its window counts as expired. */
export const countOrders = statement<{ status: string; count: number }>(
  'telemetry_orders',
  `SELECT order_status_at(clock_timestamp(), stored_status, window_ends_at) AS status, count(*)::int
     FROM orders WHERE created_at > clock_timestamp() - interval '1 day' GROUP BY 1`
)

export interface EndpointFigures {
  partner: string
  is_active: boolean
  succeeded: bigint
  failed: bigint
  failing_seconds: number
  pending: number
  oldest_due_seconds: number
  given_up: number
  held: number
}

export const selectEndpoints = statement<EndpointFigures>(
  'telemetry_endpoints',
  `SELECT p.code AS partner, e.status = 'active' AS is_active, succeeded, failed,
          coalesce(extract(epoch FROM clock_timestamp() - failing_since), 0)::float8 AS failing_seconds,
          waiting.pending, waiting.oldest_due_seconds, aside.given_up, aside.held
     FROM webhook_endpoints e JOIN partners p ON p.id = e.partner_id,
          LATERAL (SELECT count(*)::int AS pending,
                          greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min(next_at)), 0))::float8
                            AS oldest_due_seconds
                     FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.endpoint_id > 0) waiting,
          LATERAL (SELECT count(*) FILTER (WHERE d.status = 'failed')::int AS given_up,
                          count(*) FILTER (WHERE d.status = 'held')::int AS held
                     FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status IN ('failed', 'held')) aside`
)

export interface FeedRead {
  partner: string
  age_seconds: number
}

export const selectFeedReads = statement<FeedRead>(
  'telemetry_feed_reads',
  `SELECT p.code AS partner, extract(epoch FROM clock_timestamp() - r.read_at)::float8 AS age_seconds
     FROM feed_reads r JOIN partners p ON p.id = r.partner_id WHERE p.status = 'active'`
)

export interface InvariantFigures {
  invariant: string
  /** Null for one that has never come to a result. */
  counterexamples: number | null
  age_seconds: number
}

/** What the last run of each invariant that came to a result has found, and how long ago it ended, or how long there was none. */
export const selectInvariants = statement<InvariantFigures>(
  'telemetry_invariants',
  `SELECT s.invariant, last.found AS counterexamples, extract(epoch FROM clock_timestamp() - coalesce(last.ended_at, s.first_seen_at))::float8 AS age_seconds
     FROM invariant_states s
     LEFT JOIN LATERAL (SELECT found, ended_at FROM invariant_runs r
                    WHERE r.invariant = s.invariant AND r.state IN ('green', 'red') ORDER BY r.id DESC LIMIT 1) last ON true`
)

export interface JobRun {
  job: string
  success_age_seconds: number | null
  failures_in_row: number
  took_ms: number
}

export const selectJobRuns = statement<JobRun>(
  'telemetry_job_runs',
  `SELECT job, failures_in_row, took_ms,
          extract(epoch FROM clock_timestamp() - succeeded_at)::float8 AS success_age_seconds FROM job_runs`
)
