import { isKid } from '#catalog/event_keys'
import { isId } from '#shared/public_id'
import { sign, verify, type KeyObject } from 'node:crypto'

/** Everything that a gate without network needs to check a ticket. */
export interface TicketClaims {
  iss: string
  sub: string
  event_id: string
  space_id: string
  number: string
  iat: number
  exp: number
}

const TOKEN_LENGTH = 544
const SIGNATURE_LENGTH = 86
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * The QR token is a JWT in JWS compact form, signed with the event's own key (RFC 7519; ES256, RFC 7518 §3.4).
 *
 *     header       {"alg":"ES256","kid":"<16 characters>","typ":"JWT"}     70 characters of base64url
 *     payload      {"iss":…,"sub":"tkt_…",…,"exp":…,"pad":"xxx…"}         386, whatever the claims: `pad` fills it up
 *     signature    64 bytes over header.payload                            86
 *     token        header.payload.signature                               544 (contract, Ticket: about 530 to 560)
 *
 * ES256 signatures differ each time, so the token is stored and never made again.
 */
export function issueQrToken(claims: TicketClaims, kid: string, key: KeyObject): string {
  const header = encode({ alg: 'ES256', kid, typ: 'JWT' })
  const payload = encode({ ...claims, pad: padding(claims, header) })
  const unsigned = `${header}.${payload}`
  const signature = sign('sha256', Buffer.from(unsigned), { key, dsaEncoding: 'ieee-p1363' })
  return `${unsigned}.${signature.toString('base64url')}`
}

function padding(claims: TicketClaims, header: string): string {
  const payloadLength = TOKEN_LENGTH - SIGNATURE_LENGTH - header.length - 2
  const bytes = Math.floor((payloadLength * 3) / 4)
  const missing = bytes - Buffer.byteLength(JSON.stringify({ ...claims, pad: '' }))
  if (missing < 0) throw new RangeError('The claims of a ticket do not fit its token')
  return 'x'.repeat(missing)
}

export interface ParsedToken {
  kid: string
  claims: TicketClaims
  /** Whether the private key of `publicKey` signed the token. */
  isSignedBy(publicKey: KeyObject): boolean
}

const SHAPE = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/

/** Null for a text that does not have the shape of our tokens, such as a link. */
export function parseQrToken(token: string): ParsedToken | null {
  const parts = token.length <= 600 ? SHAPE.exec(token) : null
  if (!parts) return null
  const header = decode<{ alg: unknown; kid: unknown }>(parts[1])
  const claims = decode<TicketClaims>(parts[2])
  if (header?.alg !== 'ES256' || !isKid(header.kid) || !isClaims(claims)) return null
  const signed = Buffer.from(`${parts[1]}.${parts[2]}`)
  const signature = Buffer.from(parts[3], 'base64url')
  return {
    kid: header.kid,
    claims,
    isSignedBy: (key) => verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature),
  }
}

const isClaims = (claims: TicketClaims | null): claims is TicketClaims =>
  isId('tkt', claims?.sub) && isId('evt', claims?.event_id)

function decode<Value>(part: string): Value | null {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Value
  } catch {
    return null
  }
}
