import { addressGroup, addressList, providerOf } from '#shared/addresses'
import { test } from '@japa/runner'

test.group('Address lists', () => {
  const cases: [ranges: string[], address: string, isListed: boolean][] = [
    [[], '10.0.0.1', false],
    [['10.0.0.1'], '10.0.0.1', true],
    [['10.0.0.1'], '10.0.0.2', false],
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['192.168.4.0/30', '10.0.0.1'], '192.168.4.3', true],
    [['192.168.4.0/30'], '192.168.4.4', false],
    [['0.0.0.0/0'], '203.0.113.9', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
    [['10.0.0.0/8'], '::FFFF:10.1.2.3', true],
    [['2001:db8::/32'], '2001:db8:1::5', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['::1/128', '127.0.0.1/32'], '::1', true],
    [[' 10.0.0.1 ', ''], '10.0.0.1', true],
    [['10.0.0.1'], '', false],
    [['10.0.0.1'], 'localhost', false],
    [['10.0.0.1'], '10.0.0.1, 10.0.0.2', false],
    [['10.0.0.1'], '010.0.0.1', false],
  ]
  for (const [ranges, address, isListed] of cases) {
    test(`[${ranges}] ${isListed ? 'contains' : 'does not contain'} "${address}"`, ({ assert }) => {
      assert.equal(addressList(ranges).check(address), isListed)
    })
  }

  for (const range of [
    '10.0.0',
    'example.kz',
    '10.0.0.0/33',
    '10.0.0.0/x',
    '2001:db8::/129',
    '10.0.0.0/-1',
  ]) {
    test(`${range} is not a range`, ({ assert }) => {
      assert.throws(() => addressList([range]))
    })
  }
})

test.group('Address groups for budgets', () => {
  const cases: [address: string, group: string][] = [
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::', '2001:db8:1:3::/64'],
    ['::1', '::/64'],
    ['::ffff:a00:1', '10.0.0.1'],
    ['fe80::1%br-5f3', 'fe80::/64'],
    ['unknown', 'unknown'],
  ]
  for (const [address, group] of cases) {
    test(`${address} belongs to ${group}`, ({ assert }) => {
      assert.equal(addressGroup(address), group)
    })
  }
})

test.group('Blocks of providers', () => {
  const cases: [network: string, block: string][] = [
    ['10.1.2.3', '10.1.0.0/16'],
    ['2001:db8:1:2::/64', '2001:db8::/32'],
    ['2001:db8:ffff:ffff::/64', '2001:db8::/32'],
    ['2001:db9::/64', '2001:db9::/32'],
    ['unknown', 'unknown'],
    ['', ''],
  ]
  for (const [network, block] of cases) {
    test(`"${network}" is of ${block}`, ({ assert }) => {
      assert.equal(providerOf(network), block)
    })
  }
})
