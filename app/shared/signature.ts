import { createHmac, timingSafeEqual } from 'node:crypto'

export interface SignedParts {
  timestamp: string
  method: string
  /** Full path with query, exactly as sent, without host. */
  uri: string
  /** Bytes as sent; empty for GET. */
  body: Buffer | string
}

const canonicalHead = ({ timestamp, method, uri }: SignedParts) =>
  `${timestamp}\n${method}\n${uri}\n`

/** The four parts joined by single line feeds, as bytes: a body need not be valid UTF-8 (contract, Authentication). */
export function canonicalBytes(parts: SignedParts): Buffer {
  return Buffer.concat([Buffer.from(canonicalHead(parts)), Buffer.from(parts.body)])
}

/** Lowercase hex HMAC-SHA256 over the canonical string. */
export function sign(secret: string, parts: SignedParts): string {
  return createHmac('sha256', secret).update(canonicalHead(parts)).update(parts.body).digest('hex')
}

const HEX_SHA256 = /^[0-9a-f]{64}$/

export const isSignatureShaped = (signature: string) => HEX_SHA256.test(signature)

/** Constant-time; anything that is not 64 lowercase hex characters is refused before the comparison. */
export function isSignedBy(secret: string, parts: SignedParts, signature: string): boolean {
  if (!isSignatureShaped(signature)) return false
  return timingSafeEqual(Buffer.from(sign(secret, parts), 'hex'), Buffer.from(signature, 'hex'))
}
