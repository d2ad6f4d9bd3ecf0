import {
  Server,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
  type RequestListener,
} from 'node:http'
import { Server as TcpServer, type Socket } from 'node:net'

/** A connection without a request is kept open this long: a proxy may be sending the next one just now. */
const DRAIN_MS = 1_000
const CLOSE_IDLE_EVERY_MS = 100
/** Whatever is still open then is cut off, well before a supervisor sends SIGKILL. */
const CUT_OFF_MS = 20_000

/**
 * A server whose `close()` takes its time, so that a proxy with kept connections sees no failure.
 *
 *     0.0 s  close()      nothing new is accepted; answers from now on have `Connection: close`
 *     0.0–1.0 s           requests on kept connections are answered, and their connections end
 *     1.0 s               connections without a request are closed, others as soon as they are answered
 *     20 s                the rest is cut off
 */
export class DrainingServer extends Server {
  /** Open connections, each with the responses that it waits for. */
  readonly #connections = new Map<Socket, Set<ServerResponse>>()
  #isClosing = false

  constructor(options: ServerOptions, listener: RequestListener) {
    super(options, listener)
    this.on('connection', (socket: Socket) => {
      this.#connections.set(socket, new Set())
      socket.once('close', () => this.#connections.delete(socket))
    })
  }

  /** To be called for each request, before anything is answered. */
  track({ socket }: IncomingMessage, response: ServerResponse) {
    const unanswered = this.#connections.get(socket)
    unanswered?.add(response)
    response.once('close', () => unanswered?.delete(response))
    if (this.#isClosing) response.shouldKeepAlive = false
  }

  unansweredOn(socket: Socket): ServerResponse[] {
    return [...(this.#connections.get(socket) ?? [])]
  }

  override close(onClosed?: (error?: Error) => void): this {
    // Node's own `close()` of an HTTP server would cut off kept connections at once.
    TcpServer.prototype.close.call(this, onClosed)
    if (!this.#isClosing) this.#drain()
    return this
  }

  #drain() {
    this.#isClosing = true
    for (const response of [...this.#connections.values()].flatMap((each) => [...each])) {
      if (!response.headersSent) response.shouldKeepAlive = false
    }
    const began = performance.now()
    const timer = setInterval(() => {
      const elapsedMs = performance.now() - began
      if (elapsedMs >= CUT_OFF_MS) this.closeAllConnections()
      else if (elapsedMs >= DRAIN_MS) this.#closeIdle()
    }, CLOSE_IDLE_EVERY_MS)
    this.once('close', () => clearInterval(timer))
  }

  #closeIdle() {
    for (const [socket, unanswered] of this.#connections) {
      if (unanswered.size === 0) socket.destroySoon()
    }
  }
}
