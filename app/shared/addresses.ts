import ipaddr from 'ipaddr.js'
import { BlockList, isIP } from 'node:net'

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Addresses and CIDR ranges; `check` is false for everything when the list is empty. */
export function addressList(ranges: readonly string[]) {
  const list = new BlockList()
  for (const range of ranges.map((one) => one.trim()).filter(Boolean)) {
    const [address, prefix] = range.split('/')
    if (!isIP(address)) throw new Error(`"${range}" is not an address or CIDR range`)
    if (prefix) list.addSubnet(address, Number(prefix), family(address))
    else list.addAddress(address, family(address))
  }
  return {
    // `BlockList` knows IPv4 inside IPv6: `::ffff:10.0.0.1` is `10.0.0.1`.
    check: (address: string) => isIP(address) !== 0 && list.check(address, family(address)),
  }
}

/** Whether `addressList` would take it: an address, or one with the length of its prefix. */
export function isAddressRange(range: string): boolean {
  const [address, prefix, ...more] = range.split('/')
  if (more.length > 0 || !isIP(address)) return false
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIP(address) === 6 ? 128 : 32))
  )
}

const IPV6_NETWORK_BITS = 64

/**
 * Whose budget a request from this address spends. A single customer is given a whole IPv6 /64, so all of it counts as
 * one: `2001:db8:1:2::7` is `2001:db8:1:2::/64`. IPv4 counts by itself, also inside IPv6.
 */
export function addressGroup(sender: string | undefined): string {
  // The socket of a client that has gone knows no address any more.
  if (sender === undefined) return 'unknown'
  // A link-local address may name its interface: fe80::1%eth0.
  const [address] = sender.split('%')
  if (isIP(address) === 0) return sender
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address}/${IPV6_NETWORK_BITS}`)
  return `${network.toString()}/${IPV6_NETWORK_BITS}`
}

const IPV4_PROVIDER_BITS = 16
const IPV6_PROVIDER_BITS = 32

/**
 * The block that a network of `addressGroup` was allotted from, by the size that providers are commonly given: one customer
 * can have thousands of networks, but hardly many blocks. `2001:db8:1:2::/64` is of `2001:db8::/32`, `10.1.2.3` of `10.1.0.0/16`.
 */
export function providerOf(network: string): string {
  const [address] = network.split('/')
  const version = isIP(address)
  if (version === 0) return network
  return version === 4
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${IPV4_PROVIDER_BITS}`).toString()}/${IPV4_PROVIDER_BITS}`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${IPV6_PROVIDER_BITS}`).toString()}/${IPV6_PROVIDER_BITS}`
}
