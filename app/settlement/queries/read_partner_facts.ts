import { measureJitter, measureSkew, SKEW_SAMPLES } from '#settlement/defects/clock_skew'
import type { Clock } from '#settlement/defects/partner_rules'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

// To the second, as the header is: the half that is cut off on average counts for us, not for them.
const selectDelays = statement<{ delayMs: number }>(
  'settlement_clock_delays',
  `SELECT (extract(epoch FROM received_at) * 1000 - timestamp_sent::bigint * 1000)::float8 AS "delayMs"
     FROM confirm_attempts
    WHERE partner_id = $1 AND received_at < $2 AND signature_valid AND timestamp_sent ~ '^[0-9]{10}$'
    ORDER BY received_at DESC LIMIT ${SKEW_SAMPLES}`
)

/** The partner's clock by the last requests before a moment. */
export async function readClock(
  partnerId: number,
  at: Date,
  trx: TransactionClientContract
): Promise<Clock> {
  const found = await selectDelays([partnerId, at], trx)
  const delays = found.map(({ delayMs }) => delayMs)
  return { samples: delays.length, skewMs: measureSkew(delays), jitterMs: measureJitter(delays) }
}
