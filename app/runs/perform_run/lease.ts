import { LEASE_SECONDS, renewLease } from '#runs/perform_run/perform_run_sql'
import type { RunProgress } from '#runs/run_body'
import { SECOND_MS } from '#shared/days'

const RENEW_EVERY_MS = 500

/** Why a run was aborted: somebody cancelled it, its worker stops, or another worker has claimed it. */
export class RunStopped extends Error {
  constructor(public readonly why: 'cancelled' | 'stopping' | 'lost') {
    super(`the run was stopped: ${why}`)
  }
}

/**
 * A lease: a lock that ends by itself unless its holder renews it. Here for 30 s, renewed every 0.5 s.
 *
 * Example, worker A is cut off from PostgreSQL during run 7:
 *    0.0 s  A claims run 7                           attempt 1, lease until 30.0 s
 *    0.5 s  A renews and stores 120 of 900 rows      lease until 30.5 s
 *    0.9 s  A's connection breaks
 *   30.4 s  B asks for run 7 and does not get it
 *   30.6 s  B claims run 7                           attempt 2, lease until 60.6 s
 *   30.7 s  A is connected again; its renewal finds B's claim, and its signal aborts with `lost`
 * Had A died, B would have claimed the run in the same way.
 */
export class Lease implements Disposable {
  #abort = new AbortController()
  #timer: NodeJS.Timeout
  #latest: RunProgress | null = null
  #renewedAt = performance.now()
  #isRenewing = false

  constructor(
    private readonly run: { id: number; claim: string },
    private readonly stopping?: AbortSignal
  ) {
    this.#timer = setInterval(() => void this.#renew(), RENEW_EVERY_MS)
    stopping?.addEventListener('abort', this.#stop)
    if (stopping?.aborted) this.#stop()
  }

  /** Aborted with a `RunStopped`. */
  get signal() {
    return this.#abort.signal
  }

  /** Keeps the latest progress; the next renewal stores it. */
  progress(at: RunProgress) {
    this.#latest = at
  }

  [Symbol.dispose]() {
    clearInterval(this.#timer)
    this.stopping?.removeEventListener('abort', this.#stop)
  }

  #stop = () => this.#abort.abort(new RunStopped('stopping'))

  async #renew() {
    if (this.#isRenewing) return
    this.#isRenewing = true
    const progress = this.#latest && JSON.stringify(this.#latest)
    this.#latest = null
    try {
      const renewed = await renewLease.first({ ...this.run, progress })
      this.#renewedAt = performance.now()
      if (!renewed) this.#abort.abort(new RunStopped('lost'))
      else if (renewed.isCancelled) this.#abort.abort(new RunStopped('cancelled'))
    } catch {
      // PostgreSQL is away: until the lease runs out, no other worker can claim the run.
      const silentMs = performance.now() - this.#renewedAt
      if (silentMs > LEASE_SECONDS * SECOND_MS) this.#abort.abort(new RunStopped('lost'))
    } finally {
      this.#isRenewing = false
    }
  }
}
