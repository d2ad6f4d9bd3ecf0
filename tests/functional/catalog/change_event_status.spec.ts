import type { EventStatus, EventTrigger } from '#catalog/event_status'
import { aStaffMember } from '#tests/support/browser'
import { changeStatus } from '#tests/support/circumstances'
import { anEvent } from '#tests/support/fixtures'
import { signedIn, type PageClient } from '#tests/support/page_client'
import { one } from '#tests/support/rows'
import { test } from '@japa/runner'

type Change = { trigger: EventTrigger; seen: EventStatus }

const statusOf = async ({ id }: { id: string }) => {
  const { status } = await one('SELECT stored_status AS status FROM events WHERE id = ?', id)
  return status as string
}

/** Sends the form of an event's page and returns its errors. */
async function change(client: PageClient, { id }: { id: string }, asked: Change) {
  await client.get(`/events/${id}`)
  const sent = client.put(`/events/${id}/status`, { ...asked, reason: 'По просьбе площадки' })
  return client.errorsAfter(sent)
}

test.group('Changing the status of an event', () => {
  test('a close is refused as stale after somebody else has paused the event', async ({
    assert,
  }) => {
    const event = await anEvent()
    const client = await signedIn(await aStaffMember('operations'))
    await changeStatus(event, 'pause')

    const stale = await change(client, event, { trigger: 'close', seen: 'sales_open' })
    assert.deepEqual(stale, { form: 'refused.STALE' })
    assert.equal(await statusOf(event), 'sales_paused')

    await change(client, event, { trigger: 'close', seen: 'sales_paused' })
    assert.equal(await statusOf(event), 'sales_closed')
  })
})
