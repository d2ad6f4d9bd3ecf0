import { createHash, randomBytes } from 'node:crypto'

export const newGateKey = () => `gk_${randomBytes(32).toString('base64url')}`

/** What is stored of a key: plain SHA-256 is enough, because the key is 256 random bits. */
export const digestGateKey = (key: string) => createHash('sha256').update(key).digest('hex')
