import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  /** Empty unless the body was requested. */
  body: string
}

const READ_BUFFER = 256 * 1024
const HEAD_END = '\r\n\r\n'

/** A keep-alive connection for one request at a time, which parses only the parts of a response that it needs. */
export class HttpSocket {
  readonly #socket: Socket
  #head: Buffer | undefined
  #status = 0
  #missing = 0
  #body: Buffer[] | undefined
  #settle: { resolve(answer: Answer): void; reject(error: Error): void } | undefined
  #wantsBody = false

  private constructor(socket: Socket) {
    this.#socket = socket
  }

  static open(port: number) {
    return new Promise<HttpSocket>((resolve, reject) => {
      const callback = (size: number, buffer: Uint8Array) => {
        opened.#read(Buffer.from(buffer.buffer, buffer.byteOffset, size))
        return true
      }
      const onread = { buffer: Buffer.allocUnsafe(READ_BUFFER), callback }
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
      const opened = new HttpSocket(socket)
      socket.once('connect', () => resolve(opened))
      socket.once('error', (error) => opened.#fail(error, reject))
      socket.once('close', () =>
        opened.#fail(new Error('The server closed the connection'), reject)
      )
    })
  }

  send(request: string, wantsBody: boolean) {
    this.#wantsBody = wantsBody
    return new Promise<Answer>((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close() {
    this.#socket.destroy()
  }

  #fail(error: Error, reject: (error: Error) => void) {
    reject(error)
    this.#settle?.reject(error)
  }

  #read(chunk: Buffer) {
    if (this.#missing > 0) return this.#readBody(chunk)
    const received = this.#head ? Buffer.concat([this.#head, chunk]) : chunk
    const end = received.indexOf(HEAD_END)
    if (end === -1) {
      this.#head = Buffer.from(received)
      return
    }
    this.#head = undefined
    this.#readHead(received.toString('latin1', 0, end))
    this.#body = this.#wantsBody ? [] : undefined
    this.#readBody(received.subarray(end + HEAD_END.length))
  }

  #readHead(head: string) {
    const length = /\r\ncontent-length: (\d+)/i.exec(head)
    if (!length) throw new Error(`A response without Content-Length: ${head}`)
    this.#status = Number(head.slice(9, 12))
    this.#missing = Number(length[1])
  }

  #readBody(chunk: Buffer) {
    this.#missing -= chunk.length
    this.#body?.push(Buffer.from(chunk))
    if (this.#missing > 0) return
    const body = this.#body ? Buffer.concat(this.#body).toString() : ''
    this.#settle?.resolve({ status: this.#status, body })
  }
}
