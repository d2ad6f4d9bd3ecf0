import { randomInt } from 'node:crypto'

// Without i, l, o, 0 and 1, which are easily confused.
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Random letters and digits, 4.95 bits each. */
export const readableCode = (length: number) =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
