import type { GateAnswer } from './types.js'

/** The claims of a ticket's QR code that a gate needs. */
export interface Claims {
  sub: string
  event_id: string
  number: string
  exp: number
}

const SHAPE = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const

function bytes(part: string) {
  const text = atob(part.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

function decode<Value>(part: string): Value | null {
  try {
    return JSON.parse(new TextDecoder().decode(bytes(part))) as Value
  } catch {
    return null
  }
}

/** Decodes a QR code as one of our tickets without verifying it; null for anything else. */
export function readToken(text: string) {
  const parts = SHAPE.exec(text)
  if (!parts) return null
  const header = decode<{ alg?: string; kid?: string }>(parts[1])
  const claims = decode<Claims>(parts[2])
  if (header?.alg !== 'ES256' || typeof claims?.number !== 'string') return null
  return { kid: header.kid, claims, signed: `${parts[1]}.${parts[2]}`, signature: parts[3] }
}

/** Whether one of these keys signed it (ES256, WebCrypto). */
export async function isSignedBy(
  token: NonNullable<ReturnType<typeof readToken>>,
  keys: GateAnswer['keys']
) {
  const jwk = keys.find(({ kid }) => kid === token.kid)
  if (!jwk) return false
  const { kty, crv, x, y } = jwk
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, ALGORITHM, false, ['verify'])
  const signed = new TextEncoder().encode(token.signed)
  const how = { name: 'ECDSA', hash: 'SHA-256' }
  return crypto.subtle.verify(how, key, bytes(token.signature), signed)
}
