import { dataOf } from '#tests/support/answers'
import { cancelEvent, moveStart, suspend } from '#tests/support/circumstances'
import { assertInvalid, assertRefused } from '#tests/support/expectations'
import { aPartner, aSale, anEvent, grant } from '#tests/support/fixtures'
import { ownerRows } from '#tests/support/rows'
import { findGrantedEvent } from '#partners/queries/find_granted_event'
import { test } from '@japa/runner'

test.group('GET /events/{event_id}', () => {
  test('has the same body as an item of the list', async ({ assert }) => {
    const { client, event } = await aSale()
    const { status, data } = await client.get(`/events/${event.id}`)
    assert.equal(status, 200)
    assert.deepEqual(data, dataOf(await client.get('/events'))[0])
  })

  test('a cancelled event with a grant is readable', async ({ assert }) => {
    const { client, event } = await aSale()
    await cancelEvent(event)
    assert.equal(dataOf(await client.get(`/events/${event.id}`)).status, 'cancelled')
  })

  test('an event that has begun is closed', async ({ assert }) => {
    const { client, event } = await aSale()
    await moveStart(event, '-1 second')
    assert.equal(dataOf(await client.get(`/events/${event.id}`)).status, 'sales_closed')
  })

  test('a scheduled event has the time when its sales open', async ({ assert }) => {
    const salesStartAt = new Date('2034-04-01T05:30:00.250Z')
    const { client, event } = await aSale({ event: { status: 'sales_scheduled', salesStartAt } })
    const { data } = await client.get(`/events/${event.id}`)
    assert.deepEqual(
      [data.status, data.sales_start_at],
      ['sales_scheduled', '2034-04-01T10:30:00.250+05:00']
    )
  })

  test('updated_at is the last change of the event or of its grant', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    await ownerRows(`UPDATE events SET updated_at = '2026-01-02Z' WHERE id = ?`, event.id)
    const changedAt = (at: string) =>
      ownerRows(`UPDATE event_grants SET updated_at = ? WHERE partner_id = ?`, at, partner.id)
    const updatedAt = async () => {
      const { updated_at: at } = dataOf(await client.get(`/events/${event.id}`))
      return at as string
    }
    await changedAt('2026-01-01Z')
    assert.equal(await updatedAt(), '2026-01-02T05:00:00+05:00')
    await changedAt('2026-01-03Z')
    assert.equal(await updatedAt(), '2026-01-03T05:00:00+05:00')

    await cancelEvent(event)
    await moveStart(event, '-1 hour')
    await ownerRows(`UPDATE events SET updated_at = '2026-01-04Z' WHERE id = ?`, event.id)
    assert.equal(await updatedAt(), '2026-01-04T05:00:00+05:00')
  })

  test('two partners who ask at once each have their own access', async ({ assert }) => {
    const [{ event, partner }, stranger] = await Promise.all([aSale(), aPartner()])
    const asked = [partner, stranger].map(({ id }) => findGrantedEvent(id, event.id))
    const answers = await Promise.allSettled(asked)
    assert.deepEqual(
      answers.map(({ status }) => status),
      ['fulfilled', 'rejected']
    )
  })

  test('an event without a grant is refused', async () => {
    const [{ client }, event] = await Promise.all([aPartner(), anEvent()])
    assertRefused(await client.get(`/events/${event.id}`), 'ACCESS_DENIED')
  })

  test('a revoked grant is refused', async () => {
    const { client, event, partner } = await aSale()
    await grant(partner, event, 'revoked')
    assertRefused(await client.get(`/events/${event.id}`), 'ACCESS_DENIED')
  })

  test('a suspended partner is refused', async () => {
    const { client, event, partner } = await aSale()
    await suspend(partner)
    assertRefused(await client.get(`/events/${event.id}`), 'PARTNER_DISABLED')
  })

  for (const id of [
    'evt_00000000000000000000000000',
    'evt_',
    '1',
    '%D1%8F',
    '%00',
    'x'.repeat(500),
  ]) {
    test(`an unknown event is not found: ${id.slice(0, 30)}`, async () => {
      const { client } = await aPartner()
      assertRefused(await client.get(`/events/${id}`), 'EVENT_NOT_FOUND')
    })
  }

  test('a repeated parameter is invalid', async () => {
    const { client, event } = await aSale()
    assertInvalid(await client.get(`/events/${event.id}?lang=ru&lang=kk`), 'lang')
  })
})
