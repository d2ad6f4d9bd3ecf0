import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../dev/ports.ts'
import type { Supervisor } from '../dev/supervisor.ts'
import { HttpSocket } from './generator/http_socket.ts'
import { plainRequest, signedRequest } from './generator/signed_request.ts'
import type { Site } from './testbed.ts'

/** Starts the bare application, whose `/bytes` returns exactly the response of the sector's seats. */
export async function startBare(supervisor: Supervisor, directory: string, site: Site) {
  const file = join(directory, 'seats.json')
  await writeFile(file, await seatsNow(site))
  const port = await freePort()
  const env = { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port) }
  const server = await supervisor.start({
    name: 'bare',
    command: process.execPath,
    args: [join(import.meta.dirname, 'bare/server.ts')],
    env: { ...env, BYTES_FILE: file },
    output: { file: join(directory, 'bare.log') },
  })
  await Promise.race([untilAnswers(port), supervisor.failWhenOneEnds()])
  return { port, pid: server.pid }
}

async function seatsNow({ port, partners, seatsEvent, sector }: Site) {
  const socket = await HttpSocket.open(port)
  const path = `/events/${seatsEvent}/seats?sector=${sector}`
  const { status, body } = await socket.send(signedRequest(partners.bulk, 'GET', path), true)
  socket.close()
  if (status !== 200 || JSON.parse(body).data.length !== 1000) {
    throw new Error(`A sector of 1,000 seats was expected, not ${status} ${body.slice(0, 500)}`)
  }
  return body
}

async function untilAnswers(port: number) {
  for (;;) {
    try {
      const socket = await HttpSocket.open(port)
      const { status } = await socket.send(plainRequest('/json'), false)
      socket.close()
      if (status === 200) return
    } catch {
      await delay(50)
    }
  }
}
