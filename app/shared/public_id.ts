import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARACTERS = 10
const RANDOM_CHARACTERS = 16

export type IdPrefix = 'evt' | 'ven' | 'bkg' | 'tkt' | 'crt'

/** `bkg_` and a tail of 26 characters: 48 bits of time in ms, so that indexes grow at one end, then 80 random bits. */
export function newId(prefix: IdPrefix, now = Date.now()): string {
  let time = ''
  for (let rest = now, i = 0; i < TIME_CHARACTERS; i++, rest = Math.floor(rest / 32)) {
    time = ALPHABET[rest % 32] + time
  }
  let tail = ''
  for (const byte of randomBytes(RANDOM_CHARACTERS)) tail += ALPHABET[byte & 31]
  return `${prefix}_${time}${tail}`
}

const SHAPE = /^[a-z]{3}_[0-9a-z]{26}$/

/** False for anything that we never issued, so that junk costs no query. */
export function isId(prefix: IdPrefix, value: string): boolean {
  return SHAPE.test(value) && value.startsWith(`${prefix}_`)
}
