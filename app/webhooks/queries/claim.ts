import type { News } from '#webhooks/notice'
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
const takeForRound = statement<Endpoint>(
  'webhook_endpoint_take',
  `WITH taken AS (
     UPDATE webhook_endpoints
        SET round = $2, round_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      WHERE id = $1 AND status = 'active' AND (paused_until IS NULL OR paused_until <= clock_timestamp())
        AND (round IS NULL OR round = $2 OR round_until <= clock_timestamp())
     RETURNING id, url, partner_id)
   SELECT taken.*, k.api_key, k.secret_encrypted
     FROM taken LEFT JOIN LATERAL (
       SELECT api_key, secret_encrypted FROM partner_keys
        WHERE partner_id = taken.partner_id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
        ORDER BY created_at, api_key LIMIT 1) k ON true`
)
const leaveRound = statement(
  'webhook_endpoint_leave',
  'UPDATE webhook_endpoints SET round = NULL, round_until = NULL WHERE id = $1 AND round = $2'
)

/** The endpoint for one more batch of this round; undefined while it is disabled, paused or another round has it. */
export const takeEndpoint = (id: number, round: string) => takeForRound.first([id, round])

export const leaveEndpoint = (id: number, round: string) => leaveRound([id, round])

export interface Claim extends News {
  id: bigint
  /** Number of the attempt that the claim allows; also its fence. */
  attempt: number
  /** The same, counted from the last replay. */
  attempt_of_series: number
}

const claimDue = statement<Claim>(
  'webhook_claim',
  `WITH due AS MATERIALIZED (
     SELECT id FROM webhook_deliveries d
      WHERE endpoint_id = $1 AND status = 'pending' AND next_at <= clock_timestamp()
        AND (locked_until IS NULL OR locked_until <= clock_timestamp())
        AND NOT EXISTS (SELECT 1 FROM webhook_deliveries earlier
                         WHERE earlier.endpoint_id = d.endpoint_id AND earlier.subject = d.subject
                           AND earlier.status = 'pending' AND earlier.id < d.id)
      ORDER BY next_at LIMIT $2 FOR UPDATE SKIP LOCKED),
   claimed AS (
     UPDATE webhook_deliveries d
        SET attempts = attempts + 1, locked_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
       FROM due WHERE d.id = due.id
     RETURNING d.id, webhook_id, journal_id, attempts, attempts_before)
   SELECT claimed.id, webhook_id, attempts AS attempt, attempts - attempts_before AS attempt_of_series,
          j.name, j.change, j.event_id, j.booking_id, e.cancelled_at, v.utc_offset_minutes
     FROM claimed LEFT JOIN journal j ON j.id = journal_id
     LEFT JOIN events e ON e.id = j.event_id LEFT JOIN venues v ON v.id = e.venue_id
    ORDER BY claimed.id`
)

/** Takes deliveries that are due, the oldest of each subject; nobody else has them until they are settled or the lease ends. */
export const claim = (endpointId: number, atMost: number) => claimDue([endpointId, atMost])
