import { assertMatchesSchema } from '#tests/support/described'
import { aPaidOrder, refund } from '#tests/support/operations'
import { testBaseUrl } from '#tests/support/partner_client'
import { one } from '#tests/support/rows'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const decoded = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, any>

/** What the guide's program says of a token with the keys that the service publishes. */
async function verdictOf(eventId: string, token: string) {
  const directory = await mkdtemp(join(tmpdir(), 'jwks-'))
  const file = join(directory, 'jwks.json')
  const keys = await fetch(`${testBaseUrl()}/api/v1/partners/events/${eventId}/jwks.json`)
  await writeFile(file, await keys.text())
  const program = app.makePath('docs/api/examples/verify_qr.mjs')
  const { promise, resolve } = Promise.withResolvers<string>()
  execFile(process.execPath, [program, file, eventId, token], (_error, stdout) => resolve(stdout))
  const said = await promise
  await rm(directory, { recursive: true })
  return said.trim()
}

test.group('Offline verification of QR codes', () => {
  test('a sold ticket is valid by the published keys and the guide’s program', async ({
    assert,
  }) => {
    const { event, order } = await aPaidOrder()
    for (const ticket of order.tickets) {
      const verdict = await verdictOf(event.id, ticket.qr_token as string)
      assert.equal(verdict, `valid ${ticket.ticket_id} ${ticket.number} ${ticket.space_id}`)
    }
  })

  test('header and claims are exactly those of the description', async ({ assert }) => {
    const { order } = await aPaidOrder()
    const [header, claims] = (order.tickets[0].qr_token as string).split('.', 2).map(decoded)
    assertMatchesSchema('TicketHeader', header)
    assertMatchesSchema('TicketClaims', claims)
    assert.sameMembers(Object.keys(header), ['alg', 'kid', 'typ'])
    const named = ['iss', 'sub', 'event_id', 'space_id', 'number', 'iat', 'exp', 'pad']
    assert.sameMembers(Object.keys(claims), named)
  })

  test('a token is issued at the second of the confirm and ends a year after the event', async ({
    assert,
  }) => {
    const before = Math.floor(Date.now() / 1000)
    const { event, order } = await aPaidOrder()
    const after = Math.floor(Date.now() / 1000)
    const [, claims] = (order.tickets[0].qr_token as string).split('.', 2).map(decoded)
    const { ends_at: endsAt } = await one('SELECT ends_at FROM events WHERE id = ?', event.id)
    assert.isAtLeast(claims.iat, before)
    assert.isAtMost(claims.iat, after)
    assert.equal(claims.exp, Math.floor(endsAt.getTime() / 1000) + 365 * 24 * 3600)
  })

  test('a token stays valid offline after its ticket is voided', async ({ assert }) => {
    const { client, event, order } = await aPaidOrder()
    const [{ ticket_id: id, qr_token: token }] = order.tickets
    await refund(client, order.order_id as string, [id as string])
    assert.match(await verdictOf(event.id, token as string), /^valid /)
  })
})
