import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import { DataHash, type CanonicalValue } from '#spreadsheets/canonical'
import { LineFile, type FinishedLines } from '#spreadsheets/line_file'
import { AtomicOutput } from '#spreadsheets/writing/atomic_output'

export interface FinishedJsonl extends FinishedLines {
  /** SHA-256 of the lines before compression: equal rows give an equal hash. */
  linesSha256: string
}

/** Writes rows as JSON Lines: canonical JSON, one row per line, compressed with gzip. */
export class JsonlCopy implements AsyncDisposable {
  readonly #file: LineFile
  readonly #hash = new DataHash()

  constructor(path: string, signal?: AbortSignal) {
    const output = new AtomicOutput(path)
    const gzip = createGzip()
    // Failures reject the output's own promise.
    pipeline(gzip, output.stream, () => {})
    this.#file = new LineFile(output, gzip, '', signal)
  }

  row(row: CanonicalValue): Promise<void> {
    return this.#file.line(() => `${this.#hash.add(row)}\n`)
  }

  async finish(): Promise<FinishedJsonl> {
    const file = await this.#file.finish()
    return { ...file, linesSha256: this.#hash.sha256 }
  }

  abort(): Promise<void> {
    return this.#file.abort()
  }

  async [Symbol.asyncDispose]() {
    await this.#file.abort()
  }
}
