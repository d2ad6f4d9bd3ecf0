import { createHmac } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
export const STEP_MS = 30_000

function bytesOf(base32: string) {
  const bits = [...base32].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'))
  const octets = bits.join('').match(/.{8}/g)!
  return Buffer.from(octets.map((octet) => Number.parseInt(octet, 2)))
}

/** What a phone shows (RFC 6238), by code that shares nothing with the server. */
export function codeOf(secret: string, at = Date.now()): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / STEP_MS)))
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = digest.at(-1)! & 15
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000
  return String(number).padStart(6, '0')
}
