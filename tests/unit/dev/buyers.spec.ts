import { Buyers } from '../../../dev/drills/load/buyers.js'
import { judgeAnswers } from '../../../dev/drills/restart/restart_drill.js'
import { test } from '@japa/runner'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const buyer = { partner: 'bulk', apiKey: 'k', secret: 's', eventId: 'e', seats: ['A-1', 'A-2'] }

test.group('Answers that the buyers of a drill get', () => {
  test('a page of a proxy keeps its status, and fails a restart', async ({ assert, cleanup }) => {
    const server = createServer((_, response) => {
      response.writeHead(502).end('<html>Bad Gateway</html>')
    }).listen(0, '127.0.0.1')
    cleanup(() => void server.close().closeAllConnections())
    await once(server, 'listening')
    const buyers = new Buyers([`http://127.0.0.1:${(server.address() as AddressInfo).port}`])
    cleanup(() => buyers.abandon())
    buyers.startHolding(buyer, 10)
    while (buyers.exchanges.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    buyers.abandon()
    const [exchange] = buyers.exchanges
    assert.equal(exchange.status, 502)
    const { seen, holds } = judgeAnswers([exchange, { ...exchange, status: 201 }], '4 restarts')
    assert.isFalse(holds)
    assert.match(seen, /^1 of 2 failed, 1 × 502; 4 restarts/)
  })

  test('a lost answer and 503 fail a restart, a refusal does not', ({ assert }) => {
    const exchange = {
      at: new Date(),
      ms: 7,
      partner: 'bulk',
      step: 'book' as const,
      key: 'b',
      server: '',
      body: '',
    }
    const judge = (status?: number) => judgeAnswers([{ ...exchange, status }], 'none').holds
    assert.isFalse(judge(undefined))
    assert.isFalse(judge(503))
    assert.isTrue(judge(409))
    assert.isFalse(judgeAnswers([], 'none').holds)
  })
})
