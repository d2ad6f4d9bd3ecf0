import { FloodConnections } from '../../../dev/drills/faults/flood_connections.js'
import { test } from '@japa/runner'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const HEADERS_MS = 200

/** Closes what has not sent its headers in time, as our server does. */
async function aServer(cleanup: (act: () => void) => void) {
  const server: Server = createServer({ connectionsCheckingInterval: 20 }, (_, response) =>
    response.end('{}')
  )
  server.headersTimeout = HEADERS_MS
  server.requestTimeout = 2 * HEADERS_MS
  server.keepAliveTimeout = 60_000
  cleanup(() => {
    server.close()
    server.closeAllConnections()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let opened = 0
  server.on('connection', () => opened++)
  return { port: (server.address() as AddressInfo).port, opened: () => opened }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test.group('Connections of strangers in a drill', () => {
  test('idle ones stay open beyond the time for headers', async ({ assert, cleanup }) => {
    const { port } = await aServer(cleanup)
    const flood = new FloodConnections(port)
    cleanup(() => flood.close())
    await flood.openIdle(30)
    await wait(3 * HEADERS_MS)
    assert.equal(flood.open, 30)
  })

  test('slow ones are opened again when the server has closed them', async ({
    assert,
    cleanup,
  }) => {
    const { port, opened } = await aServer(cleanup)
    const flood = new FloodConnections(port)
    cleanup(() => flood.close())
    await flood.drip(10, 20, () => opened() >= 30)
    assert.isBelow(flood.open, 11)
    assert.isAbove(flood.fewestDripping, 0)
  })

  test('where nobody listens none is open', async ({ assert }) => {
    const flood = new FloodConnections(1)
    await flood.openIdle(3)
    assert.equal(flood.open, 0)
    flood.close()
  })
})
