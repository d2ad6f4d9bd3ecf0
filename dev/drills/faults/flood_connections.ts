import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const AT_ONCE = 200
const REQUEST = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'
const ENDLESS_HEADERS = 'GET /api/v1/partners/events HTTP/1.1\r\nHost: x\r\nX-A: '

const isOpen = (socket: Socket) => socket.readyState === 'open'

/** Connections that a stranger keeps. The server may close any of them. */
export class FloodConnections {
  readonly #port: number
  #sockets: Socket[] = []
  /** Of all turns of `drip`, after what was closed had been opened again. */
  fewestDripping = Infinity

  constructor(port: number) {
    this.#port = port
  }

  get open() {
    return this.#sockets.filter(isOpen).length
  }

  /** Idle ones, each after one request that was answered: one that never sends anything would soon be closed. */
  async openIdle(count: number) {
    while (this.#sockets.length < count) {
      const batch = await this.#connect(Math.min(AT_ONCE, count - this.#sockets.length))
      for (const socket of batch) socket.write(REQUEST)
    }
  }

  /** Slowloris: headers that never end, a byte at a time; what the server has closed is opened again. */
  async drip(count: number, everyMs: number, isOver: () => boolean) {
    while (!isOver()) {
      this.#sockets = this.#sockets.filter(isOpen)
      for (const socket of this.#sockets) socket.write('a')
      const opened = await this.#connect(count - this.#sockets.length)
      for (const socket of opened) socket.write(ENDLESS_HEADERS)
      this.fewestDripping = Math.min(this.fewestDripping, this.open)
      await delay(everyMs)
    }
  }

  close() {
    for (const socket of this.#sockets) socket.destroy()
  }

  async #connect(count: number) {
    const sockets = Array.from({ length: count }, () => connect(this.#port, '127.0.0.1'))
    this.#sockets.push(...sockets)
    await Promise.all(
      sockets.map((socket) => {
        socket.on('error', () => {})
        // Answers are not of interest, but must be taken.
        socket.resume()
        return new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
      })
    )
    return sockets.filter(isOpen)
  }
}
