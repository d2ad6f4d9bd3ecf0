/**
 * Verifies every statement of every partner, the one that was verified longest ago first: between 1:00 and 6:00 at the venues
 * once a night; at any other hour only what no worker has got to for two days. A turn ends after five minutes, so that the
 * other checks of its queue do not wait for long, and pauses while partners send requests (ADR 14).
 *
 * Example: a statement that was verified on Monday at 2:00 is due on Tuesday at 1:00. Without a worker that night and the next,
 * it is due on Wednesday at 2:00, whatever the hour when a worker returns.
 */
import platform from '#config/platform'
import { findStatement } from '#ledger/queries/find_statement'
import { verifyStatement } from '#ledger/queries/verify_statement'
import { BackgroundThrottle } from '#shared/background_throttle'
import { dayStart, HOUR_MS, MINUTE_MS } from '#shared/days'
import { hasRecentRequests } from '#shared/rate_limit'
import { statement } from '#shared/statement'

/** Hours of the venues' day. */
const NIGHT = { from: 1, to: 6 }
/** Less than a day: a night may begin earlier in its hours than the last one. */
const VERIFIED_TONIGHT_MS = 18 * HOUR_MS
const LONGEST_WITHOUT_MS = 48 * HOUR_MS
const TURN_MS = 5 * MINUTE_MS

const selectDue = statement<{ id: number }, { before: Date }>(
  'settlement_statements_to_verify',
  `SELECT s.id FROM settlement_statements s LEFT JOIN settlement_statement_checks c ON c.statement_id = s.id
    WHERE coalesce(c.checked_at, s.issued_at) < :before
    ORDER BY coalesce(c.checked_at, s.issued_at), s.id`
)
const upsertCheck = statement<object, { statementId: number; wrong: string[] }>(
  'settlement_statement_check_note',
  `INSERT INTO settlement_statement_checks (statement_id, checked_at, wrong) VALUES (:statementId, clock_timestamp(), :wrong::text[])
   ON CONFLICT (statement_id) DO UPDATE SET checked_at = excluded.checked_at, wrong = excluded.wrong`
)

/** Staff see the statements that fail among what needs attention, until a verification finds them whole again. */
export default async function verifyStatements(stopping?: AbortSignal): Promise<void> {
  await verifyDueStatements(dueBefore(new Date()), stopping)
}

/** Statements that were last verified before this moment are due now. */
export function dueBefore(now: Date) {
  const hour = (now.getTime() - dayStart(now).getTime()) / HOUR_MS
  const isNight = hour >= NIGHT.from && hour < NIGHT.to
  return new Date(now.getTime() - (isNight ? VERIFIED_TONIGHT_MS : LONGEST_WITHOUT_MS))
}

/**
 * Verifies the statements that are due, for at most five minutes. One that cannot be computed at all does not keep the others
 * from their turn: its error is thrown at the end.
 */
export async function verifyDueStatements(before: Date, stopping?: AbortSignal) {
  stopping?.throwIfAborted()
  const endsAt = performance.now() + TURN_MS
  const pauseFactor = platform.runPauseFactor
  const throttle = new BackgroundThrottle({ hasRecentRequests, pauseFactor, signal: stopping })
  const errors: unknown[] = []
  for (const { id } of await selectDue({ before })) {
    if (performance.now() > endsAt) break
    try {
      const wrong = await verifyStatement(await findStatement(id), { throttle, signal: stopping })
      await upsertCheck({ statementId: id, wrong })
    } catch (error) {
      if (stopping?.aborted) throw stopping.reason
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
