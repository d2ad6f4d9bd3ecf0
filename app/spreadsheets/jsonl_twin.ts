import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import { DataHash, type CanonicalValue } from '#spreadsheets/canonical'
import { LineFile, type FinishedLines } from '#spreadsheets/line_file'
import { AtomicOutput } from '#spreadsheets/writing/atomic_output'

export interface FinishedJsonl extends FinishedLines {
  /** Of the lines before they were packed: the same rows give the same sum, whatever packs them. */
  dataSha256: string
}

/** The rows for machines: canonical JSON, one row a line, packed with gzip. */
export class JsonlTwin implements AsyncDisposable {
  readonly #file: LineFile
  readonly #hash = new DataHash()

  constructor(path: string, signal?: AbortSignal) {
    const output = new AtomicOutput(path)
    const gzip = createGzip()
    // The output's own promise tells of failures; this only joins the two.
    pipeline(gzip, output.stream, () => {})
    this.#file = new LineFile(output, gzip, '', signal)
  }

  row(row: CanonicalValue): Promise<void> {
    return this.#file.line(() => `${this.#hash.add(row)}\n`)
  }

  async finish(): Promise<FinishedJsonl> {
    const file = await this.#file.finish()
    return { ...file, dataSha256: this.#hash.sha256 }
  }

  abort(): Promise<void> {
    return this.#file.abort()
  }

  async [Symbol.asyncDispose]() {
    await this.#file.abort()
  }
}
