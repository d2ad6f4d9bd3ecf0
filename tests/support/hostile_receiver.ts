import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'

type Behaviour = (socket: Socket) => void

/** What listens where a partner's program should, and does to each connection what it likes once something is sent to it. */
export async function aHostileReceiver(behave: Behaviour, tls?: TlsOptions) {
  const sockets: Socket[] = []
  const onSocket = (socket: Socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      behave(socket)
      socket.resume()
    })
  }
  const server: Server = tls ? createTlsServer(tls, onSocket) : createServer(onSocket)
  server.on('tlsClientError', () => {})
  // Of both families where there are two.
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/news`,
    get connections() {
      return sockets.length
    },
    get bytesWritten() {
      return sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
    },
    get isLeft() {
      return sockets.every(({ destroyed }) => destroyed)
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

export type HostileReceiver = Awaited<ReturnType<typeof aHostileReceiver>>

/** Sends one text and leaves the line open. */
export const says = (text: string) => (socket: Socket) => {
  socket.write(text)
}

/** Sends one text and hangs up. */
export const saysAndEnds = (text: string) => (socket: Socket) => {
  socket.end(text)
}

/** `head` at once, then a byte each second for as long as somebody listens. */
export const drips =
  (head: string, byte = 'x') =>
  (socket: Socket) => {
    socket.write(head)
    const drop = setInterval(() => socket.write(byte), 1000)
    socket.on('close', () => clearInterval(drop))
  }

/** `head`, then the same piece over and over, as fast as it is taken, up to `bytes`. */
export const floods =
  (head: string, piece: string, bytes = 1024 ** 3) =>
  (socket: Socket) => {
    const chunk = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
    let left = bytes
    const pour = () => {
      while (left > 0 && !socket.destroyed) {
        left -= chunk.length
        if (!socket.write(chunk)) return
      }
    }
    socket.on('drain', pour)
    socket.write(head)
    pour()
  }
