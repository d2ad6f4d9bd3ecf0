import { UnwritableWorkbook } from '#spreadsheets/sheet_spec'

/**
 * Ends a piece of writing once and for all, whatever breaks first: the disk, the caller's signal or a mistake. Every
 * wait is raced against it, because exceljs waits for ever when its destination has broken.
 */
export class Lifeline {
  #failure: { error: unknown } | null = null
  #isDone = false
  #cleaned: Promise<void> | null = null
  readonly #broken = Promise.withResolvers<never>()
  readonly #onAbort = () => void this.fail(this.signal?.reason)

  constructor(
    private readonly cleanUp: () => Promise<void>,
    private readonly signal?: AbortSignal
  ) {
    this.#broken.promise.catch(() => {})
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    if (signal?.aborted) this.#onAbort()
  }

  assertOpen() {
    if (this.#failure) throw this.#failure.error
    if (this.#isDone) throw new UnwritableWorkbook('The file is finished')
  }

  /** Runs a step; when it or anything else breaks, cleans up and rejects with what broke first. */
  async hold<T>(step: () => Promise<T> | T): Promise<T> {
    try {
      this.assertOpen()
      return await Promise.race([this.#broken.promise, step()])
    } catch (error) {
      if (!this.#isDone) await this.fail(error)
      throw this.#failure?.error ?? error
    }
  }

  /** Keeps the first failure and cleans up. */
  async fail(error: unknown): Promise<void> {
    if (this.#isDone) return
    if (!this.#failure) {
      this.#failure = { error }
      this.#letGo()
      // A failed removal must not hide the first failure.
      this.#cleaned = this.cleanUp().catch(() => {})
      this.#broken.reject(error)
    }
    await this.#cleaned
  }

  done() {
    this.#isDone = true
    this.#letGo()
  }

  #letGo() {
    this.signal?.removeEventListener('abort', this.#onAbort)
  }
}
