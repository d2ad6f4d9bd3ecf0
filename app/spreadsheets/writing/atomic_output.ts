import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface WrittenFile {
  bytes: number
  /** SHA-256 of the file, in hexadecimal. */
  sha256: string
}

/**
 * A file that appears whole or not at all: written under a temporary name next to its place, flushed, then renamed.
 * `stream` fails when the disk does.
 */
export class AtomicOutput {
  readonly stream: Transform
  /** Rejects as soon as the destination breaks. */
  readonly written: Promise<void>
  /** Resolves after a failure as well: a file that is still being opened must not appear after its removal. */
  readonly #closed: Promise<void>
  #bytes = 0
  #hash = createHash('sha256')

  constructor(
    private readonly path: string,
    private readonly temporary = `${path}.${randomUUID()}.part`
  ) {
    this.stream = new Transform({
      transform: (chunk: Buffer, _encoding, next) => {
        this.#bytes += chunk.length
        this.#hash.update(chunk)
        next(null, chunk)
      },
    })
    const file = createWriteStream(temporary, { flush: true, mode: 0o600 })
    this.#closed = new Promise((done) => file.once('close', done))
    this.written = pipeline(this.stream, file)
    this.written.catch(() => {})
  }

  get bytes() {
    return this.#bytes
  }

  /** Moves the file to its place, after the stream has ended. */
  async keep(): Promise<WrittenFile> {
    try {
      await this.written
      await rename(this.temporary, this.path)
    } catch (error) {
      await this.discard()
      throw error
    }
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }

  /** Leaves nothing behind. May be called at any time but after `keep`, and more than once. */
  async discard() {
    this.stream.destroy()
    await this.#closed
    await rm(this.temporary, { force: true })
  }
}
