import { randomBytes, randomUUID } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
let count = 0
const run = randomUUID().slice(0, 8)

/** A partner's idempotency key. */
export const newKey = (prefix: string) => `${prefix}-${run}-${count++}`

/** An identifier of the platform's own form: time first, then chance. */
export function newPublicId(prefix: string) {
  let time = ''
  for (let rest = Date.now(); time.length < 10; rest = Math.floor(rest / 32)) {
    time = ALPHABET[rest % 32] + time
  }
  let tail = ''
  for (const byte of randomBytes(16)) tail += ALPHABET[byte & 31]
  return `${prefix}_${time}${tail}`
}
