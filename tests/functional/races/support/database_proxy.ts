import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way to the database of the tests that can be cut: then every connection is closed at once. */
export class DatabaseProxy {
  readonly #sockets = new Set<Socket>()
  #isCut = false
  /** Connections that were closed because the way was cut. */
  refused = 0

  readonly #server = createServer((socket) => {
    this.#keep(socket)
    if (this.#isCut) {
      this.refused += 1
      return socket.destroy()
    }
    const { hostname, port } = new URL(process.env.DATABASE_URL!)
    const database = this.#keep(connect(Number(port || 5432), hostname))
    socket.pipe(database).pipe(socket)
    socket.once('close', () => database.destroy())
    database.once('close', () => socket.destroy())
  })

  static async start() {
    const proxy = new DatabaseProxy()
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get port() {
    return (this.#server.address() as AddressInfo).port
  }

  cut() {
    this.#isCut = true
    for (const socket of this.#sockets) socket.destroy()
  }

  restore() {
    this.#isCut = false
  }

  async stop() {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #keep(socket: Socket) {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
    return socket
  }
}
