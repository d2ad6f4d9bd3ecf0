import { createHash, timingSafeEqual } from 'node:crypto'

/** 32 characters without 0, O, 1 and I, which are easily confused on paper. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const LENGTH = 4

/**
 * The check code is printed next to a ticket's number, because numbers are sequential and prove nothing. It is derived
 * from the QR token, so it never changes, and only somebody who has the ticket knows it.
 *
 *     token                                            header.claims.signature
 *     SHA-256('check-code:header.claims.signature')    ea e5 e2 9e …
 *     each byte modulo 32                              10  5  2 30
 *     characters of the alphabet                       C  7  4  Y
 */
export function checkCodeOf(qrToken: string): string {
  const digest = createHash('sha256').update(`check-code:${qrToken}`).digest()
  return Array.from(digest.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

/** Whether the typed code is right; small letters, spaces and dashes are fine. Compared in constant time. */
export function isCheckCode(qrToken: string, typed: string): boolean {
  const expected = Buffer.from(checkCodeOf(qrToken))
  const received = Buffer.from(typed.replaceAll(/[\s-]/g, '').toUpperCase())
  return expected.length === received.length && timingSafeEqual(expected, received)
}
