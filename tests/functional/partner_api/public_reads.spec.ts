import { statusOf } from '#tests/support/answers'
import { assertLimitHeaders, assertRefused } from '#tests/support/expectations'
import { anEvent, aPartner } from '#tests/support/fixtures'
import { describedOperations, descriptionText } from '#tests/support/described'
import { PartnerClient } from '#tests/support/partner_client'
import { test } from '@japa/runner'
import { parse } from 'yaml'

/** Asks without any header of authentication. */
const anybody = () => new PartnerClient({ apiKey: '', secret: '' })
const unsigned = {
  headers: { 'X-Api-Key': undefined, 'X-Timestamp': undefined, 'X-Signature': undefined },
}

test.group('GET /events/{event_id}/jwks.json', () => {
  test('returns the public key of the event to anybody', async ({ assert }) => {
    const event = await anEvent()
    const answer = await anybody().get(`/events/${event.id}/jwks.json`, unsigned)
    assert.equal(answer.status, 200)
    assert.lengthOf(answer.json.keys, 1)
    assert.containsSubset(answer.json.keys[0], {
      kty: 'EC',
      crv: 'P-256',
      alg: 'ES256',
      use: 'sig',
    })
    assert.notProperty(answer.json.keys[0], 'd')
    assertLimitHeaders(answer)
  })

  test('each event has a key of its own', async ({ assert }) => {
    const keys = await Promise.all(
      [await anEvent(), await anEvent()].map(async ({ id }) => {
        const { json } = await anybody().get(`/events/${id}/jwks.json`, unsigned)
        return json.keys[0]
      })
    )
    assert.notEqual(keys[0].kid, keys[1].kid)
    assert.notEqual(keys[0].x, keys[1].x)
  })

  test('an unknown event is not found', async () => {
    const answer = await anybody().get('/events/evt_00000000000000000000000000/jwks.json', unsigned)
    assertRefused(answer, 'EVENT_NOT_FOUND')
  })
})

test.group('GET /openapi.json', () => {
  test('returns the description with the address of this deployment', async ({ assert }) => {
    const { status, json } = await anybody().get('/openapi.json', unsigned)
    assert.equal(status, 200)
    const { servers, ...description } = json
    const written = parse(descriptionText, { merge: true, maxAliasCount: -1 })
    delete written.servers
    assert.deepEqual(description, JSON.parse(JSON.stringify(written)))
    assert.equal(servers[0].url, `${process.env.APP_URL}/api/v1/partners`)
  })

  test('pages of other sites may read it and nothing else, as is described', async ({ assert }) => {
    const event = await anEvent()
    const originOf = async (path: string) => {
      const { headers } = await anybody().get(path, unsigned)
      return headers.get('access-control-allow-origin')
    }
    assert.equal(await originOf('/openapi.json'), '*')
    assert.isNull(await originOf(`/events/${event.id}/jwks.json`))
    assert.isNull(await originOf('/events'))
    const described = describedOperations().filter(({ operation }) =>
      Object.keys(operation.responses['200']?.headers ?? {}).includes('Access-Control-Allow-Origin')
    )
    assert.deepEqual(
      described.map(({ name }) => name),
      ['GET /openapi.json']
    )
  })

  test('a signed request is answered too', async ({ assert }) => {
    const { client } = await aPartner()
    assert.equal(statusOf(await client.get('/openapi.json')), 200)
  })
})
