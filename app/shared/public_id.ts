import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARACTERS = 10
const RANDOM_CHARACTERS = 16

export type IdPrefix = 'evt' | 'ven' | 'bkg' | 'tkt' | 'crt'

/** How every id begins that was given at a moment, in ms: no id given before it is greater. */
export function idAt(prefix: IdPrefix, at: number): string {
  let time = ''
  for (let rest = at, i = 0; i < TIME_CHARACTERS; i++, rest = Math.floor(rest / 32)) {
    time = ALPHABET[rest % 32] + time
  }
  return `${prefix}_${time}`
}

/** By how much the clocks of those who give ids and of PostgreSQL may ever differ. */
export const ID_SLACK_MS = 600_000

/** `bkg_` and a tail of 26 characters: 48 bits of time in ms, so that indexes grow at one end, then 80 random bits. */
export function newId(prefix: IdPrefix, now = Date.now()): string {
  let tail = ''
  for (const byte of randomBytes(RANDOM_CHARACTERS)) tail += ALPHABET[byte & 31]
  return `${idAt(prefix, now)}${tail}`
}

const SHAPE = /^[a-z]{3}_[0-9a-z]{26}$/

/** False for anything that we never issued, so that junk costs no query. */
export function isId(prefix: IdPrefix, value: unknown): boolean {
  return typeof value === 'string' && SHAPE.test(value) && value.startsWith(`${prefix}_`)
}
