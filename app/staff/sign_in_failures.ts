import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { sumNumbers } from '#shared/sums'
import { takeTurn } from '#shared/turn'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** A failure after a pause of this length starts a new run; the rate limits of signing in have expired by then. */
const RUN_PAUSE = `interval '15 minutes'`
/** The journal gets at most one entry per account in this time. */
const REPORT_EVERY = `interval '1 minute'`
/** An entry names this many networks, those with the most failures, and counts the others. */
const MAX_NAMED_NETWORKS = 10

const countFailure = statement<
  object,
  { staffId: number | null; network: string; blockedSeconds: number | null }
>(
  'staff_sign_in_failure_count',
  `INSERT INTO staff_sign_in_failures (staff_id, network, failures, unreported, blocked_until)
   VALUES (:staffId, :network, 1, 1, clock_timestamp() + make_interval(secs => :blockedSeconds))
   ON CONFLICT (staff_id, network) DO UPDATE SET
     failures = 1 + CASE WHEN staff_sign_in_failures.last_at > clock_timestamp() - ${RUN_PAUSE}
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
    WHERE coalesce(staff_id, 0) = coalesce(:staffId::int, 0) AND reported_at > clock_timestamp() - ${REPORT_EVERY} LIMIT 1`
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

/** After a successful sign-in: the network has no failures any more. */
export const clearFailuresOfNetwork = statement<object, { staffId: number; network: string }>(
  'staff_sign_in_failures_end_run',
  `UPDATE staff_sign_in_failures SET failures = 0, blocked_until = NULL WHERE staff_id = :staffId AND network = :network`
)
/** After an unlock: the account has no failures any more. Returns the failures of the last run, per network. */
export const clearFailures = statement<{ network: string; failures: number }, { id: number }>(
  'staff_sign_in_failures_forget',
  `DELETE FROM staff_sign_in_failures WHERE staff_id = :id
   RETURNING network, CASE WHEN last_at > clock_timestamp() - ${RUN_PAUSE} THEN failures ELSE 0 END AS failures`
)

export interface SignInFailure {
  /** Null when there is no such account. */
  staffId: number | null
  network: string
  /** For how long this network may not try again; null when it may. */
  blockedSeconds: number | null
  /** For how long unknown networks are slowed down; null when they are not. */
  slowedSeconds: number | null
}

/** Counts a failure and reports it to the journal, unless the account was reported within the last minute. */
export async function recordFailure(failure: SignInFailure, trx: TransactionClientContract) {
  const { staffId, network, blockedSeconds, slowedSeconds } = failure
  await lockReports(staffId, trx)
  await countFailure({ staffId, network, blockedSeconds }, trx)
  if (slowedSeconds !== null) await slowDown({ staffId, slowedSeconds }, trx)
  if (await findRecentReport.first({ staffId }, trx)) return
  await report(staffId, trx)
}

/** Writes the failures of an account that the journal doesn't have yet. */
export async function reportFailures(staffId: number | null, trx: TransactionClientContract) {
  await lockReports(staffId, trx)
  await report(staffId, trx)
}

/** One report at a time: two would count the same failures twice. */
const lockReports = (staffId: number | null, trx: TransactionClientContract) =>
  takeTurn(`sign_in_failures:${staffId}`, trx)

/** The actor of failed sign-ins: only the networks are known. */
const VISITOR: Actor = { kind: 'visitor', name: 'visitor', requestId: null }

async function report(staffId: number | null, trx: TransactionClientContract) {
  const networks = await selectUnreported({ staffId }, trx)
  if (networks.length === 0) return
  await markReported({ staffId }, trx)
  const person = staffId === null ? undefined : await findEmail.first({ staffId }, trx)
  const change = {
    staff_id: staffId,
    email: person?.email ?? null,
    failures: sumNumbers(networks, (network) => network.failures),
    addresses: Object.fromEntries(
      networks.slice(0, MAX_NAMED_NETWORKS).map(({ network, failures }) => [network, failures])
    ),
    more_addresses:
      networks.length > MAX_NAMED_NETWORKS ? networks.length - MAX_NAMED_NETWORKS : null,
  }
  await record('staff_sign_in_failed', change, { actor: VISITOR }, trx)
}
