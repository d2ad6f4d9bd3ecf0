import EditEvent, { type EditEventInput } from '#catalog/actions/edit_event'
import { EVENT_EDITION } from '#catalog/event_edition'
import { cancelEvent } from '#tests/support/circumstances'
import { anEvent, book, aSale, TESTER } from '#tests/support/fixtures'
import { one, rows } from '#tests/support/rows'
import { test } from '@japa/runner'

const editionOf = async (id: string) => {
  const { edition } = await one(`SELECT ${EVENT_EDITION} AS edition FROM events e WHERE id = ?`, id)
  return edition as string
}

/** The event as the fixtures make it, but for what is changed. */
async function edit(id: string, changes: Partial<EditEventInput> = {}) {
  const input: EditEventInput = {
    eventId: id,
    edition: await editionOf(id),
    title: { ru: 'Концерт', kk: 'Концерт', en: 'Concert' },
    description: { ru: 'Описание' },
    type: 'concert',
    ageRating: '12+',
    maxSeatsPerBooking: 8,
    prices: { standard: 12_000n, vip: 45_000n, fan: 9_000n, invitation: 5_000n, service: null },
    actor: TESTER,
    ...changes,
  }
  await new EditEvent().handle(input)
}
const prices = (changes: Partial<EditEventInput['prices']>): EditEventInput['prices'] => ({
  standard: 12_000n,
  vip: 45_000n,
  fan: 9_000n,
  invitation: 5_000n,
  service: null,
  ...changes,
})
const journalOf = (id: string) =>
  rows(
    `SELECT name, change FROM journal WHERE event_id = ? AND name IN ('event_edited', 'category_prices_set', 'event_prices_set')
      ORDER BY id`,
    id
  )

test.group('Editing an event', () => {
  test('the journal records what changed, and nothing without a change', async ({ assert }) => {
    const { id } = await anEvent()
    const before = await one('SELECT updated_at FROM events WHERE id = ?', id)
    await edit(id)
    assert.deepEqual(await journalOf(id), [])
    assert.deepEqual(await one('SELECT updated_at FROM events WHERE id = ?', id), before)

    await edit(id, { ageRating: '18+', description: { ru: 'Описание', en: 'About' } })
    const changed = {
      ageRating: { from: '12+', to: '18+' },
      description: { from: { ru: 'Описание' }, to: { ru: 'Описание', en: 'About' } },
    }
    assert.deepEqual(await journalOf(id), [{ name: 'event_edited', change: { changed } }])
  })

  test('a price that leaves the lowest one alone is no news to partners', async ({ assert }) => {
    const { id } = await anEvent()
    await edit(id, { prices: prices({ vip: 50_000n }) })
    const changed = { vip: { from: '45000', to: '50000' } }
    assert.deepEqual(await journalOf(id), [{ name: 'category_prices_set', change: { changed } }])

    await edit(id, { prices: prices({ vip: 50_000n, invitation: 4_000n }) })
    const [, , news] = await journalOf(id)
    assert.deepEqual(news, { name: 'event_prices_set', change: { price_from_tenge: '4000' } })
  })

  test('bookings made before keep their prices, those made after do not', async ({ assert }) => {
    const { client, event } = await aSale()
    const before = await book(client, event.id, ['seat-1-1'])
    await edit(event.id, { prices: prices({ vip: 50_000n }) })
    const after = await book(client, event.id, ['seat-1-2'])
    const { data } = await client.get(`/events/${event.id}`)
    assert.equal(data.price_from_tenge, 5_000)
    assert.equal(before.data.total_tenge, 45_000)
    assert.equal(after.data.total_tenge, 50_000)
  })

  test('a form made before another change is refused, and changes nothing', async ({ assert }) => {
    const { id } = await anEvent()
    const edition = await editionOf(id)
    await edit(id, { prices: prices({ vip: 50_000n }) })
    const late = edit(id, { edition, ageRating: '18+' })
    await assert.rejects(() => late, 'Somebody has changed it meanwhile')
    assert.deepInclude(await one('SELECT age_rating FROM events WHERE id = ?', id), {
      age_rating: '12+',
    })
  })

  test('two who save at once from the same form: one does, one is refused', async ({ assert }) => {
    const { id } = await anEvent()
    const edition = await editionOf(id)
    const both = await Promise.allSettled([
      edit(id, { edition, ageRating: '16+' }),
      edit(id, { edition, ageRating: '18+' }),
    ])
    assert.sameMembers(
      both.map(({ status }) => status),
      ['fulfilled', 'rejected']
    )
    assert.lengthOf(await journalOf(id), 1)
  })

  test('a cancelled event is not edited', async ({ assert }) => {
    const event = await anEvent()
    await cancelEvent(event)
    await assert.rejects(() => edit(event.id, { ageRating: '18+' }), /cancelled/)
  })
})
