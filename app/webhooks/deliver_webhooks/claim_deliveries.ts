import type { News } from '#webhooks/deliver_webhooks/compose_notice'
import { statement } from '#shared/statement'

export interface Endpoint {
  id: number
  url: string
  partner_id: number
  /** Null when the partner has no live key: nothing can be signed. */
  api_key: string | null
  secret_encrypted: string | null
}

/** Longer than a batch can take; then the deliveries of a worker that died are sent again. */
const LEASE_SECONDS = 45

// The oldest live key: a partner that rotates keys gets webhooks under the new one once the old one is revoked.
const lockForRound = statement<Endpoint, { id: number; round: string }>(
  'webhook_endpoint_take',
  `WITH taken AS (
     UPDATE webhook_endpoints
        SET round = :round, round_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      WHERE id = :id AND status = 'active' AND (paused_until IS NULL OR paused_until <= clock_timestamp())
        AND (round IS NULL OR round = :round OR round_until <= clock_timestamp())
     RETURNING id, url, partner_id)
   SELECT taken.*, k.api_key, k.secret_encrypted
     FROM taken LEFT JOIN LATERAL (
       SELECT api_key, secret_encrypted FROM partner_keys
        WHERE partner_id = taken.partner_id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
        ORDER BY created_at, api_key LIMIT 1) k ON true`
)
const endRound = statement<object, { id: number; round: string }>(
  'webhook_endpoint_leave',
  'UPDATE webhook_endpoints SET round = NULL, round_until = NULL WHERE id = :id AND round = :round'
)

/** Locks the endpoint for one more batch of this round; undefined while it is disabled, paused or in another round. */
export const lockEndpoint = (id: number, round: string) => lockForRound.first({ id, round })

/** Ends the round, so that another one may start. */
export const releaseEndpoint = (id: number, round: string) => endRound({ id, round })

export interface Claim extends News {
  id: bigint
  /** Number of the claimed attempt; also the fencing token: results of an older claim settle nothing. */
  attempt: number
  /** The same number, counted from the last replay. */
  attempt_of_series: number
}

// Every step looks rows up by key, so that a plan that was made while the tables were empty stays good: the first delivery
// of a subject and the journal entry by subqueries, the rows to update by a list of ids.
const claimDue = statement<Claim, { endpointId: number; atMost: number }>(
  'webhook_claim',
  `WITH due AS MATERIALIZED (
     SELECT id FROM webhook_deliveries d
      WHERE endpoint_id = :endpointId AND status = 'pending' AND endpoint_id > 0 AND next_at <= now()
        AND (locked_until IS NULL OR locked_until <= now())
        AND id = (SELECT first.id FROM webhook_deliveries first
                   WHERE first.endpoint_id = d.endpoint_id AND first.subject = d.subject AND first.status = 'pending'
                   ORDER BY first.id LIMIT 1)
      ORDER BY next_at LIMIT :atMost FOR UPDATE SKIP LOCKED),
   claimed AS (
     UPDATE webhook_deliveries
        SET attempts = attempts + 1, locked_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      WHERE id = ANY (ARRAY(SELECT id FROM due))
     RETURNING id, webhook_id, journal_id, journal_at, attempts, attempts_before)
   SELECT claimed.id, webhook_id, attempts AS attempt, attempts - attempts_before AS attempt_of_series, news.*
     FROM claimed LEFT JOIN LATERAL (
       SELECT j.name, j.change, j.event_id, j.booking_id, e.cancelled_at, v.utc_offset_minutes
         FROM journal j LEFT JOIN events e ON e.id = j.event_id LEFT JOIN venues v ON v.id = e.venue_id
        WHERE j.id = claimed.journal_id AND j.at = claimed.journal_at OFFSET 0) news ON true
    ORDER BY claimed.id`
)

/** Leases deliveries that are due, only the oldest of each subject, until their result is recorded or the lease expires. */
export const claimDeliveries = (endpointId: number, atMost: number) =>
  claimDue({ endpointId, atMost })

const releaseClaimed = statement<object, { ids: bigint[]; attempts: number[] }>(
  'webhook_hand_back',
  `UPDATE webhook_deliveries d SET attempts = d.attempts - 1, locked_until = NULL
     FROM unnest(:ids::bigint[], :attempts::int[]) AS unsent (id, attempt)
    WHERE d.id = ANY (:ids) AND d.id = unsent.id AND d.attempts = unsent.attempt AND d.status = 'pending'`
)

/** Releases claims that were not sent; they don't count as attempts. */
export const releaseClaims = (claims: Claim[]) =>
  releaseClaimed({
    ids: claims.map(({ id }) => id),
    attempts: claims.map(({ attempt }) => attempt),
  })
