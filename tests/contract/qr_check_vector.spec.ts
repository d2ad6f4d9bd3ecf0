import { checkCodeOf } from '#tickets/check_code'
import { parseQrToken } from '#tickets/qr_token'
import { describedResponse } from '#tests/support/described'
import { isMissing, programsNamed, runProgram, skipReason } from '#tests/support/guide_programs'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { readFileSync } from 'node:fs'

interface Vector {
  now: number
  jwks: JSONWebKeySet
  tokens: { name: string; event_id: string; token: string; now?: number; verdict: string }[]
}

const FILE = app.makePath('docs/api/qr_check_vector.json')
const vector = JSON.parse(readFileSync(FILE, 'utf8')) as Vector
const paidOrder = describedResponse('POST /orders/{order_id}/confirm', 200, 'paid').data

test.group('QR test vector', () => {
  for (const file of programsNamed('verify_qr')) {
    test(`${file} gives the expected verdicts`, async ({ assert }) => {
      const { stdout, stderr } = await runProgram(file, ['--check-vector', FILE])
      const expected = vector.tokens.map(({ name, verdict }) => `${name} ${verdict}`)
      assert.equal(stdout.trim(), expected.join('\n'), stderr)
    })
      .skip(() => isMissing(file), skipReason(file))
      .timeout(60_000)
  }

  test('an independent library verifies it alike', async ({ assert }) => {
    const keys = createLocalJWKSet(vector.jwks)
    for (const { name, token, event_id: eventId, now = vector.now, verdict } of vector.tokens) {
      const verified = await jwtVerify(token, keys, {
        algorithms: ['ES256'],
        currentDate: new Date(now * 1000),
      }).catch(() => null)
      const isGood = verified?.payload.event_id === eventId
      assert.equal(isGood, verdict === 'valid', name)
    }
  })

  test('its tokens and keys are the examples of the OpenAPI description', ({ assert }) => {
    const keys = describedResponse('GET /events/{event_id}/jwks.json', 200, 'keys')
    assert.deepEqual(keys, vector.jwks)
    const [first, second] = vector.tokens
    assert.deepEqual(
      paidOrder.tickets.map((ticket: any) => ticket.qr_token),
      [first.token, second.token]
    )
  })

  test('the tokens of the examples are issued as the platform issues them', ({ assert }) => {
    const [jwk] = vector.jwks.keys
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    for (const ticket of paidOrder.tickets) {
      assert.lengthOf(ticket.qr_token, 544)
      const parsed = parseQrToken(ticket.qr_token as string)!
      assert.isTrue(parsed.isSignedBy(key))
      assert.equal(parsed.kid, jwk.kid)
      assert.equal(ticket.check_code, checkCodeOf(ticket.qr_token as string))
      assert.containsSubset(parsed.claims, {
        iss: (ticket.number as string).split('-')[0],
        sub: ticket.ticket_id,
        event_id: paidOrder.event_id,
        space_id: ticket.space_id,
        number: ticket.number,
      })
    }
  })
})
