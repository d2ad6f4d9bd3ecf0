import platform from '#config/platform'
import { isPublic, readEndpointUrl } from '#webhooks/address'
import { Refusal } from '#shared/refusals'
import { PRIVATE_LITERALS, PRIVATE_NAMES } from '#tests/support/private_hosts'
import { test } from '@japa/runner'

const NOT_PUBLIC = [
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '192.0.2.1',
  '198.51.100.7',
  '224.0.0.1',
  '255.255.255.255',
  '240.0.0.1',

  '::1',
  '::',
  'fe80::1',
  'fd00:ec2::254',
  '4000::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  '::ffff:169.254.169.254',
  'nonsense',
  '',
]

const ruled =
  (rule: string) =>
  (url: string): [string, string] => [url, rule]

const REFUSED: [url: string, rule: string][] = [
  ...['https://', 'partner.kz', 'https://par tner.kz/', 'https://partner.kz:99999/', ''].map(
    ruled('format')
  ),
  ...[
    'http://partner.kz/hook',
    'ftp://partner.kz',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ].map(ruled('https')),
  ...['https://user:pass@partner.kz', 'https://user@partner.kz', 'https://:pass@partner.kz'].map(
    ruled('credentials')
  ),
  ...['https://partner.kz/#x', 'https://partner.kz/?a=1#x'].map(ruled('fragment')),
  ...[`https://partner.kz/${'x'.repeat(500)}`, `https://partner.kz/${'ж'.repeat(90)}`].map(
    ruled('length')
  ),
  ...[...PRIVATE_LITERALS, ...PRIVATE_NAMES].map((host) => `https://${host}/`).map(ruled('public')),
]

function refusalOf(url: string): Refusal {
  try {
    readEndpointUrl(url)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error(`${url} is taken`)
}

test.group('Webhook addresses', (group) => {
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

  test('public addresses are allowed', ({ assert }) => {
    for (const address of ['8.8.8.8', '212.154.1.1', '2a00:1450:4001::200e', '::ffff:8.8.8.8'])
      assert.isTrue(isPublic(address), address)
  })

  for (const [url, rule] of REFUSED) {
    test(`"${url.slice(0, 60)}" is refused as an endpoint: ${rule}`, ({ assert }) => {
      const refused = refusalOf(url)
      assert.equal(refused.refusalCode, 'INVALID_PARAMETERS')
      const [{ field, rule: broken, message }] = refused.details.fields as Record<string, string>[]
      assert.deepEqual([field, broken], ['url', rule])
      assert.isAbove(message.length, 5)
    })
  }

  test('https on a public name, with a port, a path and a query, is allowed', ({ assert }) => {
    const { href } = readEndpointUrl('https://hooks.partner.kz:8443/in?x=1')
    assert.equal(href, 'https://hooks.partner.kz:8443/in?x=1')
    assert.equal(readEndpointUrl('https://8.8.8.8/').hostname, '8.8.8.8')
    assert.equal(readEndpointUrl('https://local.partner.kz./').hostname, 'local.partner.kz.')
  })
})
