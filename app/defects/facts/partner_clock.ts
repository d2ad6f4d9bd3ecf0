import { measureJitter, measureSkew, SKEW_SAMPLES, type Clock } from '#defects/facts/clock_skew'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** SQL of the delays in milliseconds (clock_skew.ts) of :partnerId's last requests before a moment. */
export const delaysBefore = (moment: string) => `
  SELECT (extract(epoch FROM received_at) * 1000 - timestamp_sent::bigint * 1000)::float8 AS "delayMs"
    FROM confirm_attempts
   WHERE partner_id = :partnerId AND received_at < ${moment} AND signature_valid AND timestamp_sent ~ '^[0-9]{10}$'
   ORDER BY received_at DESC LIMIT ${SKEW_SAMPLES}`

const selectDelays = statement<{ delayMs: number }, { partnerId: number; at: Date }>(
  'settlement_clock_delays',
  delaysBefore(':at')
)

/** Measures the partner's clock by its last requests before `at`. */
export async function readClock(
  partnerId: number,
  at: Date,
  trx: TransactionClientContract
): Promise<Clock> {
  const found = await selectDelays({ partnerId, at }, trx)
  const delays = found.map(({ delayMs }) => delayMs)
  return { samples: delays.length, skewMs: measureSkew(delays), jitterMs: measureJitter(delays) }
}
