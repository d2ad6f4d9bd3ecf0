import { createHash, timingSafeEqual } from 'node:crypto'

/** No 0 and O, no 1 and I: what is read from paper and typed must be unambiguous. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const LENGTH = 4

/**
 * Four characters that are printed next to a ticket's number, because numbers are sequential and prove nothing.
 * Derived from the QR token: the same for the ticket's life, and unknown to whoever has not seen the ticket.
 */
export function checkCodeOf(qrToken: string): string {
  const digest = createHash('sha256').update(`check-code:${qrToken}`).digest()
  return Array.from(digest.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

/** However it was typed: in small letters, with spaces or dashes. Compared in constant time. */
export function isCheckCode(qrToken: string, typed: string): boolean {
  const expected = Buffer.from(checkCodeOf(qrToken))
  const received = Buffer.from(typed.replaceAll(/[\s-]/g, '').toUpperCase())
  return expected.length === received.length && timingSafeEqual(expected, received)
}
