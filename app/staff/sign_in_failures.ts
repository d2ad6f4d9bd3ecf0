import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { takeTurn } from '#shared/turn'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** After so long without a failure the next one begins a run of its own: the counters of the door forget by then. */
const RUN_LASTS = `interval '15 minutes'`
/** The journal gets one entry about an account in that time, however many tries there are. */
const REPORTED_EVERY = `interval '1 minute'`
/** An entry names so many networks, those with most failures, and counts the others. */
const NAMED_NETWORKS = 10

const countFailure = statement<
  object,
  { staffId: number | null; network: string; blockedSeconds: number | null }
>(
  'staff_sign_in_failure_count',
  `INSERT INTO staff_sign_in_failures (staff_id, network, failures, unreported, blocked_until)
   VALUES (:staffId, :network, 1, 1, clock_timestamp() + make_interval(secs => :blockedSeconds))
   ON CONFLICT (staff_id, network) DO UPDATE SET
     failures = 1 + CASE WHEN staff_sign_in_failures.last_at > clock_timestamp() - ${RUN_LASTS}
                         THEN staff_sign_in_failures.failures ELSE 0 END,
     unreported = staff_sign_in_failures.unreported + 1, last_at = clock_timestamp(),
     blocked_until = coalesce(excluded.blocked_until, staff_sign_in_failures.blocked_until)`
)
const slowDown = statement<object, { staffId: number | null; slowedSeconds: number }>(
  'staff_sign_in_slow_down',
  'UPDATE staff SET sign_in_slowed_until = clock_timestamp() + make_interval(secs => :slowedSeconds) WHERE id = :staffId'
)
const findRecentReport = statement<object, { staffId: number | null }>(
  'staff_sign_in_failures_recent_report',
  `SELECT 1 FROM staff_sign_in_failures
    WHERE coalesce(staff_id, 0) = coalesce(:staffId::int, 0) AND reported_at > clock_timestamp() - ${REPORTED_EVERY} LIMIT 1`
)
const selectUnreported = statement<
  { network: string; failures: number },
  { staffId: number | null }
>(
  'staff_sign_in_failures_unreported',
  `SELECT network, unreported AS failures FROM staff_sign_in_failures
    WHERE coalesce(staff_id, 0) = coalesce(:staffId::int, 0) AND unreported > 0 ORDER BY unreported DESC, network`
)
const markReported = statement<object, { staffId: number | null }>(
  'staff_sign_in_failures_mark_reported',
  `UPDATE staff_sign_in_failures SET unreported = 0, reported_at = clock_timestamp()
    WHERE coalesce(staff_id, 0) = coalesce(:staffId::int, 0) AND unreported > 0`
)
const findEmail = statement<{ email: string }, { staffId: number }>(
  'staff_email',
  'SELECT email FROM staff WHERE id = :staffId'
)

/** A network that was right has no failures any more; a person who was unlocked has none anywhere. */
export const endRunOfNetwork = statement<object, { staffId: number; network: string }>(
  'staff_sign_in_failures_end_run',
  `UPDATE staff_sign_in_failures SET failures = 0, blocked_until = NULL WHERE staff_id = :staffId AND network = :network`
)
export const forgetFailures = statement<{ network: string; failures: number }, { id: number }>(
  'staff_sign_in_failures_forget',
  `DELETE FROM staff_sign_in_failures WHERE staff_id = :id
   RETURNING network, CASE WHEN last_at > clock_timestamp() - ${RUN_LASTS} THEN failures ELSE 0 END AS failures`
)

export interface SignInFailure {
  /** Null when nobody of that name works here. */
  staffId: number | null
  network: string
  /** For how long this network gets no further try; null while it gets one. */
  blockedSeconds: number | null
  /** For how long unknown networks get a try only now and then; null while they aren't too many. */
  slowedSeconds: number | null
}

export async function noteFailure(failure: SignInFailure, trx: TransactionClientContract) {
  const { staffId, network, blockedSeconds, slowedSeconds } = failure
  await takeReportsTurn(staffId, trx)
  await countFailure({ staffId, network, blockedSeconds }, trx)
  if (slowedSeconds !== null) await slowDown({ staffId, slowedSeconds }, trx)
  if (await findRecentReport.first({ staffId }, trx)) return
  await report(staffId, trx)
}

/** What the journal doesn't have yet of an account. */
export async function reportFailures(staffId: number | null, trx: TransactionClientContract) {
  await takeReportsTurn(staffId, trx)
  await report(staffId, trx)
}

/** Two who report at once would count the same failures twice. */
const takeReportsTurn = (staffId: number | null, trx: TransactionClientContract) =>
  takeTurn(`sign_in_failures:${staffId}`, trx)

/** Nobody has signed in: whoever it was is known by the networks of the entry alone. */
const VISITOR: Actor = { kind: 'visitor', name: 'visitor', requestId: null }

async function report(staffId: number | null, trx: TransactionClientContract) {
  const networks = await selectUnreported({ staffId }, trx)
  if (networks.length === 0) return
  await markReported({ staffId }, trx)
  const person = staffId === null ? undefined : await findEmail.first({ staffId }, trx)
  const change = {
    staff_id: staffId,
    email: person?.email ?? null,
    failures: networks.reduce((sum, { failures }) => sum + failures, 0),
    addresses: Object.fromEntries(
      networks.slice(0, NAMED_NETWORKS).map(({ network, failures }) => [network, failures])
    ),
    more_addresses: networks.length > NAMED_NETWORKS ? networks.length - NAMED_NETWORKS : null,
  }
  await record('staff_sign_in_failed', change, { actor: VISITOR }, trx)
}
