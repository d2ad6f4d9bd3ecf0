import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const SETTLED_MS = 200
const MONITORED = /^\+\d+\.\d+ \[\d+ ([^\]]+)\] "([^"]+)"/

/** The commands that clients send while `act` runs, without those that scripts call, which are no round trips. */
export async function commandsDuring(url: string, act: () => Promise<void>): Promise<string[]> {
  const session = await open(url)
  session.send('MONITOR')
  await delay(SETTLED_MS)
  await act()
  await delay(SETTLED_MS)
  session.close()
  return session.lines().flatMap((line) => {
    const [, from, command] = MONITORED.exec(line) ?? []
    return !from || from === 'lua' ? [] : [command.toLowerCase()]
  })
}

export async function redisPid(url: string): Promise<number> {
  const session = await open(url)
  session.send('INFO server')
  await delay(SETTLED_MS)
  session.close()
  const line = session.lines().find((each) => each.startsWith('process_id:'))
  return Number(line?.split(':')[1])
}

async function open(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  await once(socket, 'connect')
  return {
    send: (command: string) => socket.write(`${command}\r\n`),
    lines: () => text.split('\r\n'),
    close: () => socket.destroy(),
  }
}
