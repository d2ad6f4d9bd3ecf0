import { connect } from 'node:net'

/** One request over a connection of its own; its status, or why there is none. */
export function exchange(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    const end = (outcome: string) => {
      socket.destroy()
      resolve(outcome)
    }
    socket.setTimeout(15_000, () => end('no answer'))
    socket.once('data', (data) => end(data.toString('latin1').slice(9, 12)))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  })
}
