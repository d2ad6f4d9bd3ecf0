import encryption from '@adonisjs/core/services/encryption'
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import type { JsonWebKey } from 'node:crypto'

export interface EventKeyRow {
  kid: string
  private_key_encrypted: string
}

const KID_BYTES = 12
const KID_SHAPE = /^[A-Za-z0-9_-]{16}$/
/** False for anything that `newEventKey` never gave, so that no other text reaches PostgreSQL. */
export const isKid = (value: unknown): value is string =>
  typeof value === 'string' && KID_SHAPE.test(value)
const purposeOf = (kid: string) => `event-key:${kid}`

/** An ES256 pair of the event's own (completions, Tickets); the private half leaves here encrypted only. */
export function newEventKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = randomBytes(KID_BYTES).toString('base64url')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }
  return {
    kid,
    privateKeyEncrypted: encryption.encrypt(pem, { purpose: purposeOf(kid) }),
    publicJwk,
  }
}

const opened = new Map<string, KeyObject>()
const MAX_OPENED = 1_000

/** A key never changes under its id, so the opened one is remembered. */
export function openEventKey({ kid, private_key_encrypted: encrypted }: EventKeyRow): KeyObject {
  const known = opened.get(kid)
  if (known) return known
  const pem = encryption.decrypt<string>(encrypted, purposeOf(kid))
  if (pem === null) throw new Error(`The key ${kid} cannot be decrypted with APP_KEY`)
  if (opened.size >= MAX_OPENED) opened.clear()
  const key = createPrivateKey(pem)
  opened.set(kid, key)
  return key
}

export const importPublicKey = (jwk: JsonWebKey) => createPublicKey({ key: jwk, format: 'jwk' })
