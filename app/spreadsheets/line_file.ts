import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Writable } from 'node:stream'
import type { AtomicOutput, WrittenFile } from '#spreadsheets/writing/atomic_output'
import { Lifeline } from '#spreadsheets/writing/lifeline'

const BATCH_LETTERS = 64 * 1024

export interface FinishedLines extends WrittenFile {
  rows: number
}

/**
 * A file of lines that appears whole or not at all, written in flat memory. After any error it is abandoned and
 * nothing stays behind. `await using` abandons it when it was not finished.
 */
export class LineFile implements AsyncDisposable {
  readonly #lifeline: Lifeline
  #batch: string
  #rows = 0

  /** `entry` takes the lines: the output itself, or a compressor in front of it. */
  constructor(
    private readonly output: AtomicOutput,
    private readonly entry: Writable,
    start: string,
    signal?: AbortSignal
  ) {
    this.#batch = start
    this.#lifeline = new Lifeline(() => this.#cleanUp(), signal)
    output.written.catch((error: unknown) => this.#lifeline.fail(error))
  }

  /** Adds a line with its line end. Await it before the next one. */
  async line(make: () => string): Promise<void> {
    if (this.#batch.length < BATCH_LETTERS) {
      this.#lifeline.assertOpen()
      try {
        this.#batch += make()
        this.#rows += 1
      } catch (error) {
        await this.#lifeline.fail(error)
        throw error
      }
      return
    }
    await this.#lifeline.hold(() => this.#flush())
    await this.line(make)
  }

  async finish(): Promise<FinishedLines> {
    await this.#lifeline.hold(async () => {
      await this.#flush()
      this.entry.end()
      await this.output.written
    })
    this.#lifeline.done()
    return { ...(await this.output.keep()), rows: this.#rows }
  }

  async abort(): Promise<void> {
    await this.#lifeline.fail(new Error('The file was abandoned'))
  }

  async [Symbol.asyncDispose]() {
    await this.abort()
  }

  async #flush() {
    const batch = this.#batch
    this.#batch = ''
    if (batch === '') return
    if (this.entry.write(batch)) await nextTurn()
    else await once(this.entry, 'drain')
  }

  async #cleanUp() {
    this.entry.destroy()
    await this.output.discard()
  }
}
