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
/** Whether a value has the shape of our key ids, so that no other text reaches PostgreSQL. */
export const isKid = (value: unknown): value is string =>
  typeof value === 'string' && KID_SHAPE.test(value)
/** What a private key is encrypted for, so that it opens under its own id only. */
export const eventKeyPurpose = (kid: string) => `event-key:${kid}`

/** A new ES256 key pair for one event (completions, Tickets); the private key is encrypted. */
export function newEventKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = randomBytes(KID_BYTES).toString('base64url')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }
  return {
    kid,
    privateKeyEncrypted: encryption.encrypt(pem, { purpose: eventKeyPurpose(kid) }),
    publicJwk,
  }
}

const decrypted = new Map<string, KeyObject>()
const MAX_CACHED = 1_000

/** Decrypts a private key; cached, because a key never changes under its id. */
export function openEventKey({ kid, private_key_encrypted: encrypted }: EventKeyRow): KeyObject {
  const known = decrypted.get(kid)
  if (known) return known
  const pem = encryption.decrypt<string>(encrypted, eventKeyPurpose(kid))
  if (pem === null) throw new Error(`The key ${kid} cannot be decrypted with APP_KEY`)
  if (decrypted.size >= MAX_CACHED) decrypted.clear()
  const key = createPrivateKey(pem)
  decrypted.set(kid, key)
  return key
}

export const importPublicKey = (jwk: JsonWebKey) => createPublicKey({ key: jwk, format: 'jwk' })
