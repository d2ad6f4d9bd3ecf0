import platform from '#config/platform'
import { refuseField } from '#shared/refusals'
import { promises as dns, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address that webhooks must not be sent to; staff see the message. */
export class ForbiddenAddress extends Error {}

/** All IPv6 addresses that are allocated for the internet so far. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** A public address of the internet: not private, loopback, link-local, mapped, tunnelled or reserved. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST))
}

const isAllowed = (address: string) => platform.localWebhooks || isPublic(address)

export function assertAllowed(address: string | undefined): void {
  if (address === undefined || !isAllowed(address))
    throw new ForbiddenAddress('The address is not a public one')
}

/**
 * The look-up of a connection: all addresses of the name must be public. The connection uses these very addresses, so a
 * second look-up can't return others (DNS rebinding). Literal addresses are not looked up: check them separately.
 */
export const lookupPublic: LookupFunction = (hostname, options, done) => {
  publicAddressesOf(hostname).then(
    (addresses) => {
      if (options.all) return done(null, addresses)
      return done(null, addresses[0].address, addresses[0].family)
    },
    (error: Error) => done(error, [])
  )
}

async function publicAddressesOf(hostname: string): Promise<LookupAddress[]> {
  // The system's look-up knows localhost; it is for development.
  const addresses = platform.localWebhooks
    ? await dns.lookup(hostname, { all: true })
    : await queryNameServers(hostname)
  if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address)))
    throw new ForbiddenAddress('The name does not lead to public addresses only')
  return addresses
}

/**
 * Queries over sockets. The system's look-up would block one of the few libuv threads for as long as a name server is
 * silent, and two such names would stop the look-ups of all other endpoints.
 */
async function queryNameServers(hostname: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)])
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
  return [
    ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
    ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
  ]
}

const MAX_URL = 500

/** Parses the URL of an endpoint; refuses a URL that we would never send to. */
export function readEndpointUrl(text: string): URL {
  const url = URL.parse(text)
  if (!url) return refuseUrl('format', 'is not a URL')
  if (url.href.length > MAX_URL) refuseUrl('length', `is longer than ${MAX_URL} characters`)
  if (url.username || url.password) refuseUrl('credentials', 'must not carry a name or password')
  if (url.hash) refuseUrl('fragment', 'must not have a fragment')
  if (platform.localWebhooks && url.protocol === 'http:') return url
  if (url.protocol !== 'https:') refuseUrl('https', 'must begin with https://')
  if (!platform.localWebhooks && !mayBePublic(hostOf(url)))
    refuseUrl('public', 'must lead to a public address')
  return url
}

const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/

function mayBePublic(host: string): boolean {
  if (isIP(host)) return isPublic(host)
  const name = host.replace(/\.$/, '')
  return name.includes('.') && !LOCAL_NAME.test(name)
}

/** The host without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

function refuseUrl(rule: string, message: string): never {
  return refuseField('url', rule, message)
}
