import {
  EVENT_FILTERS,
  type EventChoice,
  type EventFilters,
} from '#back_office/events/events_props'
import { listEvents } from '#back_office/events/list_events'
import { anEvent } from '#tests/support/fixtures'
import { StaffClient } from '#tests/support/staff_client'
import { test } from '@japa/runner'

const none = Object.fromEntries(EVENT_FILTERS.map((name) => [name, null])) as EventFilters

test.group('Events list', () => {
  test('an event is listed by its id, its title, its status and the cursor', async ({ assert }) => {
    const { id } = await anEvent()
    const isListed = async (filters: Partial<EventFilters>) => {
      const { rows } = await listEvents({ ...none, ...filters }, 1_000)
      return rows.some((row) => row.id === id)
    }
    const early = '2020-01-01T00:00:00.000Z~evt'
    const late = '2100-01-01T00:00:00.000Z~evt'
    const { rows: found } = await listEvents({ ...none, q: id })
    const [{ title }] = found
    for (const filters of [
      { q: id.toUpperCase() },
      { q: title.ru.slice(1, 5) },
      { q: id, status: 'sales_open' },
      { before: early },
      { when: 'all', before: late },
    ])
      assert.isTrue(await isListed(filters), JSON.stringify(filters))
    for (const filters of [
      { q: `${title.ru}%` },
      { q: id, status: 'cancelled' },
      { q: id, when: 'past' },
      { before: late },
      { when: 'all', before: early },
    ])
      assert.isFalse(await isListed(filters), JSON.stringify(filters))
  })

  test('events to choose in a filter are found by id or title, those to come first', async ({
    assert,
  }) => {
    const { id } = await anEvent({ title: { ru: 'Премьера', kk: 'Премьера', en: 'First night' } })
    const client = await StaffClient.signedIn('auditor')
    const found = (q: string): Promise<EventChoice[]> =>
      client.json(`/back-office/events/choices?q=${encodeURIComponent(q)}`)
    const [byId, ...others] = await found(id)
    assert.equal(byId.id, id)
    assert.equal(byId.title.en, 'First night')
    assert.deepEqual(others, [])
    const byTitle = await found('first ni')
    assert.include(
      byTitle.map((event) => event.id),
      id
    )
    assert.deepEqual(await found('no event has this title'), [])
  })
})
