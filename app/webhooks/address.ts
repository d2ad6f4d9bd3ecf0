import platform from '#config/platform'
import { refuseField } from '#shared/refusals'
import { lookup as resolve, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Why an address may not be called; staff see the words. */
export class ForbiddenAddress extends Error {}

/** A public address of the internet: not private, loopback, link-local, mapped, tunnelled or reserved. */
export const isPublic = (address: string) =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'

const mayCall = (address: string) => platform.localWebhooks || isPublic(address)

export function assertMayCall(address: string | undefined): void {
  if (address === undefined || !mayCall(address))
    throw new ForbiddenAddress('The address is not a public one')
}

/**
 * Resolves for a connection: all addresses of the name must be public, and it is they that are connected to,
 * so that no second look at the name can give others. Literal addresses never come here: check them apart.
 */
export const lookupPublic: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return done(error, [])
    if (addresses.length === 0 || !addresses.every(({ address }) => mayCall(address)))
      return done(new ForbiddenAddress('The name does not lead to public addresses only'), [])
    if (options.all) return done(null, addresses)
    return done(null, addresses[0].address, addresses[0].family)
  })
}

const MAX_URL = 500

/** The address of an endpoint as staff gave it; refuses what could never be called. */
export function readEndpointUrl(text: string): URL {
  const url = text.length <= MAX_URL ? URL.parse(text) : null
  if (!url) return refuseUrl('format', 'is not a URL of at most 500 characters')
  if (url.username || url.password) refuseUrl('credentials', 'must not carry a name or password')
  if (url.hash) refuseUrl('fragment', 'must not have a fragment')
  if (platform.localWebhooks && url.protocol === 'http:') return url
  if (url.protocol !== 'https:') refuseUrl('https', 'must begin with https://')
  const host = hostOf(url)
  if (!platform.localWebhooks && (isIP(host) ? !isPublic(host) : !host.includes('.')))
    refuseUrl('public', 'must lead to a public address')
  return url
}

/** Without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

function refuseUrl(rule: string, message: string): never {
  return refuseField('url', rule, message)
}
