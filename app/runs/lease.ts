import { LEASE_SECONDS, tellProgress } from '#runs/queries/perform'
import type { RunProgress } from '#runs/run_body'

const TELL_MS = 500

/** Why a run is broken off before its end. */
export class RunStopped extends Error {
  constructor(public readonly why: 'cancelled' | 'stopping' | 'lost') {
    super(`the run is broken off: ${why}`)
  }
}

/** Tells how far a run is, twice a second, and that its worker is alive; hears that it was cancelled or taken over. */
export class Lease implements Disposable {
  #abort = new AbortController()
  #timer: NodeJS.Timeout
  #latest: RunProgress | null = null
  #toldAt = performance.now()
  #isTelling = false

  constructor(
    private readonly run: { id: number; claim: string },
    private readonly stopping?: AbortSignal
  ) {
    this.#timer = setInterval(() => void this.#tell(), TELL_MS)
    stopping?.addEventListener('abort', this.#stop)
    if (stopping?.aborted) this.#stop()
  }

  get signal() {
    return this.#abort.signal
  }

  progress(at: RunProgress) {
    this.#latest = at
  }

  [Symbol.dispose]() {
    clearInterval(this.#timer)
    this.stopping?.removeEventListener('abort', this.#stop)
  }

  #stop = () => this.#abort.abort(new RunStopped('stopping'))

  async #tell() {
    const latest = this.#latest
    if (this.#isTelling) return
    this.#isTelling = true
    this.#latest = null
    try {
      const told = await tellProgress(this.run.id, this.run.claim, latest)
      this.#toldAt = performance.now()
      if (!told) this.#abort.abort(new RunStopped('lost'))
      else if (told.isCancelled) this.#abort.abort(new RunStopped('cancelled'))
    } catch {
      // PostgreSQL is away: as long as the lease holds, nobody else can have it.
      const silentMs = performance.now() - this.#toldAt
      if (silentMs > LEASE_SECONDS * 1000) this.#abort.abort(new RunStopped('lost'))
    } finally {
      this.#isTelling = false
    }
  }
}
