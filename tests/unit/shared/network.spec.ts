import { networkOf } from '#shared/network'
import { test } from '@japa/runner'

test.group('The network of an address', () => {
  test('{0} → {1}')
    .with([
      ['203.0.113.7', '203.0.113.7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:DB8:0001:2::', '2001:db8:1:2::/64'],
      ['2001:db8::1', '2001:db8:0:0::/64'],
      ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
      ['::1', '0:0:0:0::/64'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64'],
      ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
      ['not an address', 'not an address'],
    ] as const)
    .run(({ assert }, [address, network]) => assert.equal(networkOf(address), network))
})
