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

/** Longer than a batch can take: what a worker that died had in hand is sent again by then. */
const LEASE_SECONDS = 45

// The oldest live key: a partner that changes over is addressed under the new one once the old is revoked.
const takeForRound = statement<Endpoint, { id: number; round: string }>(
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
const leaveRound = statement<object, { id: number; round: string }>(
  'webhook_endpoint_leave',
  'UPDATE webhook_endpoints SET round = NULL, round_until = NULL WHERE id = :id AND round = :round'
)

/** The endpoint for one more batch of this round; undefined while it is disabled, paused or another round has it. */
export const takeEndpoint = (id: number, round: string) => takeForRound.first({ id, round })

export const leaveEndpoint = (id: number, round: string) => leaveRound({ id, round })

export interface Claim extends News {
  id: bigint
  /** Number of the attempt that the claim allows; also its fence. */
  attempt: number
  /** The same, counted from the last replay. */
  attempt_of_series: number
}

// Every step asks by key, whatever the planner thinks of tables that were empty when it planned: the first of a subject
// and the journal's entry each by a subquery of their own, the rows to update by a list of their ids.
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
     RETURNING id, webhook_id, journal_id, attempts, attempts_before)
   SELECT claimed.id, webhook_id, attempts AS attempt, attempts - attempts_before AS attempt_of_series, news.*
     FROM claimed LEFT JOIN LATERAL (
       SELECT j.name, j.change, j.event_id, j.booking_id, e.cancelled_at, v.utc_offset_minutes
         FROM journal j LEFT JOIN events e ON e.id = j.event_id LEFT JOIN venues v ON v.id = e.venue_id
        WHERE j.id = claimed.journal_id OFFSET 0) news ON true
    ORDER BY claimed.id`
)

/** Takes deliveries that are due, the oldest of each subject; nobody else has them until they are settled or the lease ends. */
export const claim = (endpointId: number, atMost: number) => claimDue({ endpointId, atMost })

const undoClaims = statement<object, { ids: bigint[]; attempts: number[] }>(
  'webhook_hand_back',
  `UPDATE webhook_deliveries d SET attempts = d.attempts - 1, locked_until = NULL
     FROM unnest(:ids::bigint[], :attempts::int[]) AS unsent (id, attempt)
    WHERE d.id = ANY (:ids) AND d.id = unsent.id AND d.attempts = unsent.attempt AND d.status = 'pending'`
)

/** Undoes claims of which nothing was sent. */
export const handBack = (claims: Claim[]) =>
  undoClaims({ ids: claims.map(({ id }) => id), attempts: claims.map(({ attempt }) => attempt) })
