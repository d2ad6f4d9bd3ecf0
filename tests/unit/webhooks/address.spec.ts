import platform from '#config/platform'
import { isPublic, lookupPublic, readEndpointUrl } from '#webhooks/address'
import { Refusal } from '#shared/refusals'
import { test } from '@japa/runner'

const NOT_PUBLIC = [
  ...['127.0.0.1', '127.8.8.8', '0.0.0.0', '10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1'],
  ...['169.254.169.254', '192.0.2.1', '198.51.100.7', '224.0.0.1', '255.255.255.255', '240.0.0.1'],
  ...['::1', '::', 'fe80::1', 'fd00:ec2::254', '::ffff:127.0.0.1', '::ffff:10.0.0.1', 'ff02::1'],
  ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1', '::ffff:169.254.169.254', 'nonsense', ''],
]

const REFUSED = [
  ...[
    'http://partner.kz/hook',
    'ftp://partner.kz',
    'https://',
    'partner.kz',
    'javascript:alert(1)',
  ],
  ...[
    'https://user:pass@partner.kz',
    'https://partner.kz/#x',
    'https://localhost/',
    'https://intranet/',
  ],
  ...['https://127.0.0.1/', 'https://2130706433/', 'https://0x7f.1/', 'https://0177.0.0.1/'],
  ...[
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://10.0.0.1/',
    'https://169.254.169.254/',
  ],
  `https://partner.kz/${'x'.repeat(500)}`,
]

test.group('Addresses of webhooks', (group) => {
  group.each.setup(() => {
    platform.localWebhooks = false
    return () => {
      platform.localWebhooks = true
    }
  })

  for (const address of NOT_PUBLIC) {
    test(`"${address}" is not a public address`, ({ assert }) => {
      assert.isFalse(isPublic(address))
    })
  }

  test('addresses of the internet are public', ({ assert }) => {
    for (const address of ['8.8.8.8', '212.154.1.1', '2a00:1450:4001::200e', '::ffff:8.8.8.8'])
      assert.isTrue(isPublic(address), address)
  })

  for (const url of REFUSED) {
    test(`${url.slice(0, 40)} is refused as an endpoint`, ({ assert }) => {
      assert.throws(() => readEndpointUrl(url), Refusal)
    })
  }

  test('https on a public name, with a port, a path and a query', ({ assert }) => {
    const { href } = readEndpointUrl('https://hooks.partner.kz:8443/in?x=1')
    assert.equal(href, 'https://hooks.partner.kz:8443/in?x=1')
    assert.equal(readEndpointUrl('https://8.8.8.8/').hostname, '8.8.8.8')
  })

  test('a name that leads to a private address is not connected to', async ({ assert }) => {
    const error = await new Promise((resolve) => lookupPublic('localhost', { all: true }, resolve))
    assert.match(String(error), /does not lead to public addresses only/)
  })
})
