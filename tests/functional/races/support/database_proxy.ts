import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * A way to the database of the tests that can be cut, which closes every connection at once, or frozen: then connections stay
 * open and are accepted, but nothing passes.
 */
export class DatabaseProxy {
  readonly #sockets = new Set<Socket>()
  #isCut = false
  #isFrozen = false
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
    this.#pass(socket, database)
    this.#pass(database, socket)
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

  freeze() {
    this.#isFrozen = true
    for (const socket of this.#sockets) socket.pause()
  }

  thaw() {
    this.#isFrozen = false
    for (const socket of this.#sockets) socket.resume()
  }

  async stop() {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #pass(from: Socket, to: Socket) {
    from.on('data', (chunk) => to.write(chunk))
    from.once('end', () => to.end())
    if (this.#isFrozen) from.pause()
  }

  #keep(socket: Socket) {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
    return socket
  }
}
