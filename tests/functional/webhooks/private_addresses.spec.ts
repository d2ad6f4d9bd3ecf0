import platform from '#config/platform'
import { lookupPublic } from '#webhooks/address'
import { post } from '#webhooks/post'
import {
  aHostileReceiver,
  saysAndEnds,
  type HostileReceiver,
} from '#tests/support/hostile_receiver'
import { aNameServer, type Question } from '#tests/support/name_server'
import { PRIVATE_LITERALS, PRIVATE_NAMES } from '#tests/support/private_hosts'
import { tryOut } from '#tests/support/webhook_trial'
import { test } from '@japa/runner'
import type { LookupAddress } from 'node:dns'

/** Public by its range, given to nobody: what is sent there arrives nowhere. */
const NOBODYS = '2d00::1'

const NAMES: Record<string, (question: Question) => string[] | null | undefined> = {
  'private.example': () => ['10.0.0.1'],
  'loopback.example': () => ['127.0.0.1', '::1'],
  'loopback6.example': () => ['::1'],
  'mapped.example': () => ['::ffff:127.0.0.1'],
  'metadata.example': () => ['169.254.169.254'],
  'mixed.example': () => ['127.0.0.1', '8.8.8.8'],
  'one-of-each-family.example': () => ['8.8.8.8', '::1'],
  'rebinding.example': ({ before }) => (before === 0 ? [NOBODYS] : ['127.0.0.1', '::1']),
  'public.example': () => ['8.8.8.8', '2a00:1450:4001::200e'],
  'empty.example': () => [],
  'gone.example': () => null,
}

function answer(question: Question) {
  const name = question.name.toLowerCase()
  if (name.startsWith('silent')) return undefined
  return name in NAMES ? NAMES[name](question) : ['127.0.0.1', '::1']
}

const lookUp = (name: string) =>
  new Promise<LookupAddress[]>((resolve, reject) => {
    lookupPublic(name, { all: true }, (error, found) =>
      error ? reject(error) : resolve(found as LookupAddress[])
    )
  })

test.group('Private addresses as endpoints', (group) => {
  let listener: HostileReceiver
  let names: Awaited<ReturnType<typeof aNameServer>>
  group.setup(async () => {
    listener = await aHostileReceiver(saysAndEnds('HTTP/1.1 200 OK\r\n\r\nsecret'))
    names = await aNameServer(answer)
  })
  group.teardown(() => {
    listener.close()
    names.close()
  })
  group.each.setup(() => {
    platform.localWebhooks = false
    return () => {
      platform.localWebhooks = true
    }
  })
  const called = (host: string) => post(new URL(`http://${host}:${listener.port}/`), {}, '{}')

  test('a private address is called where that is allowed', async ({ assert }) => {
    platform.localWebhooks = true
    const { status, response } = await called('127.0.0.1')
    assert.deepEqual([status, response], [200, 'secret'])
    assert.equal(listener.connections, 1)
  })

  for (const host of [...PRIVATE_LITERALS, ...PRIVATE_NAMES]) {
    test(`${host} is never connected to`, async ({ assert }) => {
      const before = listener.connections
      const { failure, status, response } = await called(host)
      assert.deepEqual([failure, status, response], ['forbidden_address', null, null])
      assert.equal(listener.connections, before)
    })
  }

  const led: [name: string, failure: string][] = [
    ['private.example', 'forbidden_address'],
    ['loopback.example', 'forbidden_address'],
    ['loopback6.example', 'forbidden_address'],
    ['mapped.example', 'forbidden_address'],
    ['metadata.example', 'forbidden_address'],
    ['mixed.example', 'forbidden_address'],
    ['one-of-each-family.example', 'forbidden_address'],
    ['empty.example', 'unknown_host'],
    ['gone.example', 'unknown_host'],
  ]
  for (const [name, failure] of led) {
    test(`a delivery to ${name}: ${failure}, without a connection`, async ({ assert }) => {
      const before = listener.connections
      const { attempt, delivery } = await tryOut(`https://${name}:${listener.port}/`)
      assert.include(attempt, { failure, http_status: null, response: null })
      assert.equal(delivery.status, 'pending')
      assert.equal(listener.connections, before)
    })
  }

  test('a name is resolved once, and the resolved address is connected to', async ({ assert }) => {
    const before = listener.connections
    const first = await called('rebinding.example')
    const questions = names.asked.filter((question) => question.endsWith('rebinding.example'))
    assert.sameMembers(questions, ['A rebinding.example', 'AAAA rebinding.example'])
    assert.oneOf(first.failure, ['unreachable', 'connect_timeout', 'refused'])

    const second = await called('rebinding.example')
    assert.equal(second.failure, 'forbidden_address')
    assert.equal(listener.connections, before)
  })

  test('a public name resolves to all its addresses, of both families', async ({ assert }) => {
    assert.deepEqual(await lookUp('public.example'), [
      { address: '8.8.8.8', family: 4 },
      { address: '2a00:1450:4001::200e', family: 6 },
    ])
  })

  test('silent name servers delay no other look-up', async ({ assert }) => {
    const silent = Array.from({ length: 8 }, (_, nth) => called(`silent-${nth}.example`))
    const began = performance.now()
    await lookUp('public.example')
    assert.isBelow(performance.now() - began, 1_000)
    for (const { failure, durationMs } of await Promise.all(silent)) {
      assert.equal(failure, 'connect_timeout')
      assert.isBelow(durationMs, 6_000)
    }
  })
})
