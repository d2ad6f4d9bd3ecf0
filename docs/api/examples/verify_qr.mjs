// Verifies the qr_token of a ticket without a network. Node.js 20 or newer, nothing to install.
//
//   node verify_qr.mjs jwks.json EVENT_ID QR_TOKEN
//   node verify_qr.mjs --check-vector qr_check_vector.json
import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** `jwks` is the event's set of keys, `now` Unix time in seconds. */
function verifyQr(token, eventId, jwks, now) {
  const parts = token.split('.')
  const header = parts.length === 3 ? decode(parts[0]) : null
  // The algorithm is ours to say, never the token's: anything but ES256 is no ticket.
  if (header?.alg !== 'ES256' || typeof header.kid !== 'string') return { verdict: 'not_a_ticket' }

  const jwk = jwks.keys.find((key) => key.kid === header.kid)
  if (!jwk) return { verdict: 'unknown_key' }
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }
  const signed = Buffer.from(`${parts[0]}.${parts[1]}`)
  if (!verify('sha256', signed, key, Buffer.from(parts[2], 'base64url')))
    return { verdict: 'bad_signature' }

  // Claims mean something only now that the signature is good.
  const claims = decode(parts[1])
  if (claims.event_id !== eventId) return { verdict: 'wrong_event' }
  if (now >= claims.exp) return { verdict: 'expired' }
  return { verdict: 'valid', claims }
}

function decode(part) {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return null
  }
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

if (process.argv[2] === '--check-vector') {
  const { now, jwks, tokens } = readJson(process.argv[3])
  for (const one of tokens) {
    const { verdict } = verifyQr(one.token, one.event_id, jwks, one.now ?? now)
    console.log(`${one.name} ${verdict}`)
  }
} else {
  const [file, eventId, token] = process.argv.slice(2)
  const { verdict, claims } = verifyQr(token, eventId, readJson(file), Date.now() / 1000)
  console.log(claims ? `valid ${claims.sub} ${claims.number} ${claims.space_id}` : verdict)
  process.exitCode = claims ? 0 : 1
}
