import { issueQrToken, parseQrToken, type TicketClaims } from '#tickets/qr_token'
import { test } from '@japa/runner'
import { generateKeyPairSync } from 'node:crypto'

const CLAIMS: TicketClaims = {
  iss: 'https://tickets.test',
  sub: 'tkt_01jq7z8n4v3k2m5x6y7z8a9b0c',
  event_id: 'evt_01jq7z8n4v3k2m5x6y7z8a9b0c',
  space_id: 'seat-1-1',
  number: 'TIX-TKT-000042',
  iat: 1_795_000_000,
  exp: 1_796_000_000,
}
const KID = 'AbCdEfGhIjKlMnOp'

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

test.group('QR token (qr_token.ts)', () => {
  test('70 characters of header, 386 of payload, 86 of signature: 544, whatever the claims', ({
    assert,
  }) => {
    for (const number of [CLAIMS.number, 'TIX-TKT-123456789012345']) {
      const token = issueQrToken({ ...CLAIMS, number }, KID, newKeys().privateKey)
      assert.deepEqual(
        token.split('.').map(({ length }) => length),
        [70, 386, 86]
      )
      assert.lengthOf(token, 544)
    }
  })

  test('only the key of the event verifies it', ({ assert }) => {
    const keys = newKeys()
    const parsed = parseQrToken(issueQrToken(CLAIMS, KID, keys.privateKey))!
    assert.equal(parsed.kid, KID)
    assert.equal(parsed.claims.sub, CLAIMS.sub)
    assert.isTrue(parsed.isSignedBy(keys.publicKey))
    assert.isFalse(parsed.isSignedBy(newKeys().publicKey))
  })
})
