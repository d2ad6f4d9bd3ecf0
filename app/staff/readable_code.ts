import { randomInt } from 'node:crypto'

// Nothing that is mistaken for something else when read out.
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Letters and digits at random, 4.95 bits each. */
export const readableCode = (length: number) =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
