import { SECOND_MS } from '#shared/days'
import { statement } from '#shared/statement'
import { randomUUID } from 'node:crypto'

const LEASE_SECONDS = 60
const RENEW_EVERY_MS = 15 * SECOND_MS

const takeLease = statement<object, { claim: string }>(
  'invariant_lease_take',
  `UPDATE invariant_lease SET claim = :claim, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    WHERE lease_until <= clock_timestamp() RETURNING one`
)
const renewLease = statement<object, { claim: string }>(
  'invariant_lease_renew',
  `UPDATE invariant_lease SET lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    WHERE claim = :claim RETURNING one`
)
const releaseLease = statement<object, { claim: string }>(
  'invariant_lease_release',
  `UPDATE invariant_lease SET claim = NULL, lease_until = '-infinity' WHERE claim = :claim`
)

/**
 * Does the work unless another worker is at it. The lease ends by itself a minute after its worker has died; the signal is
 * aborted once another worker has taken it, or `stopping` is.
 */
export async function underLease(
  work: (signal: AbortSignal) => Promise<void>,
  stopping?: AbortSignal
): Promise<void> {
  const claim = randomUUID()
  if (!(await takeLease.first({ claim }))) return
  const lost = new AbortController()
  const renew = async () => {
    // PostgreSQL may be away for a moment: the lease is not lost before another worker takes it.
    const isOurs = await renewLease.first({ claim }).catch(() => true)
    if (!isOurs) lost.abort(new Error('another worker has taken the invariants over'))
  }
  const timer = setInterval(() => void renew(), RENEW_EVERY_MS)
  try {
    await work(stopping ? AbortSignal.any([stopping, lost.signal]) : lost.signal)
  } finally {
    clearInterval(timer)
    await releaseLease({ claim })
  }
}
