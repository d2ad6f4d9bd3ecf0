import { isIPv6 } from 'node:net'

const MAPPED = /^::ffff:(?=\d+\.)/i
const GROUPS = 8
const NETWORK_GROUPS = 4

/**
 * What one sender can hardly change: an IPv4 address, or the /64 of an IPv6 one, which a single connection has
 * whole (RFC 6177). `2001:db8:1:2:3::4` → `2001:db8:1:2::/64`
 */
export function networkOf(address: string): string {
  const plain = address.replace(MAPPED, '')
  if (!isIPv6(plain)) return plain
  const [head, tail] = plain.replace(/%.*$/, '').split('::')
  const groupsOf = (part: string | undefined) => (part ? part.split(':') : [])
  const [first, last] = [groupsOf(head), groupsOf(tail)]
  const missing = tail === undefined ? 0 : GROUPS - first.length - last.length
  const groups = [...first, ...Array<string>(Math.max(0, missing)).fill('0'), ...last]
  const network = groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
