import encryption from '@adonisjs/core/services/encryption'
import { LRUCache } from 'lru-cache'
import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248) text += ALPHABET[byte % 62]
  }
  return text.slice(0, length)
}

export type Deployment = 'sandbox' | 'live'

/** A new pair; the secret is shown once and stored encrypted (contract, Authentication). */
export interface KeyPair {
  apiKey: string
  secret: string
}

export function newKeyPair(deployment: Deployment): KeyPair {
  return {
    apiKey: `pk_${deployment}_${randomText(32)}`,
    secret: `sk_${deployment}_${randomText(48)}`,
  }
}

/** What a secret is encrypted for, so that it opens under its own API key only. */
export const partnerKeyPurpose = (apiKey: string) => `partner-key:${apiKey}`

export function encryptSecret(apiKey: string, secret: string): string {
  return encryption.encrypt(secret, { purpose: partnerKeyPurpose(apiKey) })
}

const decrypted = new LRUCache<string, string>({ max: 10_000 })

/** Decryption always gives the same secret, so it is cached; whether the key is still live is read from PostgreSQL. */
export function openSecret(apiKey: string, encrypted: string): string {
  // With the key in its name: a secret that was copied to another key must not open there.
  const name = `${apiKey} ${encrypted}`
  const known = decrypted.get(name)
  if (known !== undefined) return known
  const secret = encryption.decrypt<string>(encrypted, partnerKeyPurpose(apiKey))
  if (secret === null) throw new Error(`The secret of ${apiKey} cannot be decrypted with APP_KEY`)
  decrypted.set(name, secret)
  return secret
}
