import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  json: any
}

type Answer = (response: ServerResponse, received: Received) => void

/** A partner's webhook receiver: a real HTTP server that keeps the requests it gets. */
export async function aReceiver(
  answer: Answer = (response) => response.end('ok'),
  host = '127.0.0.1'
) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const { method, url, headers } = request
      const one = { method: method!, path: url!, headers, body, json: JSON.parse(body) }
      received.push(one)
      answer(response, one)
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://${host}:${port}/news?of=tickets`, port, received, close }
}
