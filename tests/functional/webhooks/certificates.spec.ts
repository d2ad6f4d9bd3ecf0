import { Authority } from '#tests/support/certificates'
import {
  aHostileReceiver,
  saysAndEnds,
  type HostileReceiver,
} from '#tests/support/hostile_receiver'
import { tryOut } from '#tests/support/webhook_trial'
import { test } from '@japa/runner'
import tls, { type TlsOptions } from 'node:tls'

const OK = saysAndEnds('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
const GOOD = { name: 'IP:127.0.0.1', days: 1 }

const CASES: [what: string, options: (authority: Authority) => TlsOptions][] = [
  ['that nobody vouches for', (authority) => authority.issueAlone(GOOD)],
  ['of another host', (authority) => authority.issue({ ...GOOD, name: 'DNS:other.example' })],
  ['of another address', (authority) => authority.issue({ ...GOOD, name: 'IP:127.0.0.2' })],
  ['that has expired', (authority) => authority.issue({ ...GOOD, days: -1 })],
  [
    'over a protocol of long ago',
    (authority) => ({ ...authority.issue(GOOD), maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }),
  ],
]

test.group('Certificates of receivers', (group) => {
  let authority: Authority
  let receiver: HostileReceiver
  group.setup(() => {
    authority = new Authority()
    const trusted = tls.getCACertificates('default')
    tls.setDefaultCACertificates([...trusted, authority.certificate])
    return () => {
      tls.setDefaultCACertificates(trusted)
      authority.remove()
    }
  })
  group.each.teardown(() => receiver.close())

  test('a valid certificate: delivered', async ({ assert }) => {
    receiver = await aHostileReceiver(OK, authority.issue(GOOD))
    const { attempt, delivery } = await tryOut(receiver.url)
    assert.include(attempt, { http_status: 200, failure: null, response: 'ok' })
    assert.equal(delivery.status, 'delivered')
  })

  for (const [what, options] of CASES) {
    test(`a certificate ${what}: tls`, async ({ assert }) => {
      receiver = await aHostileReceiver(OK, options(authority))
      const { attempt, delivery } = await tryOut(receiver.url)
      assert.include(attempt, { http_status: null, failure: 'tls', response: null })
      assert.equal(delivery.status, 'pending')
      assert.isBelow(attempt.duration_ms, 2_000)
    })
  }

  test('plain HTTP on the port of https: tls', async ({ assert }) => {
    receiver = await aHostileReceiver(saysAndEnds('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const { attempt } = await tryOut(receiver.url.replace('http', 'https'))
    assert.include(attempt, { http_status: null, failure: 'tls' })
  })

  test('a connection dropped in the handshake: connection_lost', async ({ assert }) => {
    receiver = await aHostileReceiver((socket) => socket.end())
    const { attempt } = await tryOut(receiver.url.replace('http', 'https'))
    assert.include(attempt, { http_status: null, failure: 'connection_lost' })
  })
})
