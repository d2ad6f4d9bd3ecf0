import { HoldForStorefront } from '#inventory/actions/storefront'
import type { Role } from '#staff/role'
import { aStaffMember } from '#tests/support/browser'
import { TESTER, aSale, anEvent, sell } from '#tests/support/fixtures'
import { signedIn } from '#tests/support/page_client'
import { one, ownerRows, rows } from '#tests/support/rows'
import { test } from '@japa/runner'

const REASON = 'A camera stands there'

async function aColleague(role: Role = 'operations') {
  const person = await aStaffMember(role)
  return { ...person, client: await signedIn(person) }
}
type Colleague = Awaited<ReturnType<typeof aColleague>>

const statesOf = async (eventId: string) => {
  const found = await rows(
    `SELECT space_id, state FROM event_seats WHERE event_id = ? AND state <> 'free' ORDER BY space_id`,
    eventId
  )
  return Object.fromEntries(found.map(({ space_id: id, state }) => [id, state]))
}
const statusOf = async (sent: Promise<{ status: number }>) => {
  const { status } = await sent
  return status
}
const pathOf = (eventId: string) => `/events/${eventId}/plan`

async function block({ client }: Colleague, eventId: string, seats: string[]) {
  await client.post(`${pathOf(eventId)}/blocks`, { seats, reason: REASON })
  return client.undoOn(pathOf(eventId))
}
async function unblock({ client }: Colleague, eventId: string, seats: string[]) {
  await client.delete(`${pathOf(eventId)}/blocks`, { seats, reason: REASON })
  return client.undoOn(pathOf(eventId))
}

test.group('Undo of blocks', () => {
  test('the seats that a block took are free again, the others stay, and the journal has both', async ({
    assert,
  }) => {
    const operations = await aColleague()
    const { client, event } = await aSale()
    await sell(client, event.id, ['seat-1-1'])
    await block(operations, event.id, ['seat-1-2'])
    const before = await statesOf(event.id)
    const undo = (await block(operations, event.id, ['seat-1-1', 'seat-1-2', 'seat-1-3']))!
    assert.deepEqual(await statesOf(event.id), { ...before, 'seat-1-3': 'blocked' })

    await operations.client.undo(undo)
    assert.deepEqual(await statesOf(event.id), before)
    const entries = await rows(
      `SELECT name, actor, change FROM journal WHERE event_id = ? AND name LIKE 'seats!_%' ESCAPE '!' ORDER BY id`,
      event.id
    )
    const actor = operations.email
    const seats = ['seat-1-3']
    assert.deepEqual(entries.slice(1), [
      { name: 'seats_blocked', actor, change: { seats, reason: REASON } },
      { name: 'seats_unblocked', actor, change: { seats, reason: 'undo.reason' } },
    ])
    const { props } = await operations.client.get(pathOf(event.id))
    assert.include(props.notice, { key: 'undo.done', undo: null })
  })

  test('what a page fetches meanwhile does not take the message and its undo away', async ({
    assert,
  }) => {
    const { client } = await aColleague()
    const event = await anEvent()
    const path = pathOf(event.id)
    await client.post(`${path}/blocks`, { seats: ['seat-1-1'], reason: REASON })
    const fetched = await client.fetch(`${path}/seats/seat-1-1`)
    assert.equal(fetched.status, 200)
    assert.isNotNull(await client.undoOn(path))
    assert.isNull(await client.undoOn(path))

    await client.post(`${path}/blocks`, { seats: ['seat-1-2'], reason: '' })
    await client.fetch(`${path}/seats/seat-1-1`)
    const { props } = await client.get(path)
    assert.property(props.errors, 'reason')
  })

  test('seats that were put on sale are blocked again', async ({ assert }) => {
    const operations = await aColleague()
    const event = await anEvent()
    const seats = ['seat-1-1', 'seat-1-2']
    await block(operations, event.id, seats)
    const undo = (await unblock(operations, event.id, seats))!
    assert.deepEqual(await statesOf(event.id), {})
    await operations.client.undo(undo)
    assert.deepEqual(await statesOf(event.id), { 'seat-1-1': 'blocked', 'seat-1-2': 'blocked' })
  })

  test('it is refused for all seats when one was sold meanwhile', async ({ assert }) => {
    const operations = await aColleague()
    const { client, event } = await aSale()
    const seats = ['seat-1-1', 'seat-1-2']
    await block(operations, event.id, seats)
    const undo = (await unblock(operations, event.id, seats))!
    await sell(client, event.id, ['seat-1-2'])
    await operations.client.undo(undo)
    const { props } = await operations.client.get(pathOf(event.id))
    assert.equal(props.errors.form, 'refused.SEATS_NOT_AVAILABLE')
    assert.deepEqual(await statesOf(event.id), { 'seat-1-2': 'sold' })
  })

  test('it is refused with who and when after a colleague has changed one of the seats, also if it is blocked again', async ({
    assert,
  }) => {
    const [first, second] = [await aColleague(), await aColleague()]
    const event = await anEvent()
    const undo = (await block(first, event.id, ['seat-1-1', 'seat-1-2']))!
    await block(second, event.id, ['seat-2-1'])
    await unblock(second, event.id, ['seat-1-2'])
    await block(second, event.id, ['seat-1-2'])
    const before = await statesOf(event.id)
    const { at } = await one(
      'SELECT at FROM journal WHERE actor = ? ORDER BY id DESC LIMIT 1',
      second.email
    )

    await first.client.undo(undo)
    const { props } = await first.client.get(pathOf(event.id))
    assert.equal(props.errors.form, 'refused.STALE')
    assert.deepEqual(props.changedBy, { by: second.email, at: (at as Date).toISOString() })
    assert.deepEqual(await statesOf(event.id), before)
  })

  test('a hold of the box office in between counts as a change', async ({ assert }) => {
    const operations = await aColleague()
    const event = await anEvent()
    await block(operations, event.id, ['seat-1-1'])
    const undo = (await unblock(operations, event.id, ['seat-1-1']))!
    const seats = ['seat-1-1']
    const hold = { eventId: event.id, seats, holdSeconds: 300, actor: TESTER }
    await new HoldForStorefront().handle(hold)
    await operations.client.undo(undo)
    const { props } = await operations.client.get(pathOf(event.id))
    assert.equal(props.changedBy.by, TESTER.name)
  })

  test('other acts on the event are in nobody’s way', async ({ assert }) => {
    const [first, second] = [await aColleague(), await aColleague()]
    const event = await anEvent()
    const undo = (await block(first, event.id, ['seat-1-1']))!
    await block(second, event.id, ['seat-2-1'])
    await first.client.undo(undo)
    assert.deepEqual(await statesOf(event.id), { 'seat-2-1': 'blocked' })
  })

  test('it wants the right and the token of forms that the act wants', async ({ assert }) => {
    const operations = await aColleague()
    const event = await anEvent()
    const undo = (await block(operations, event.id, ['seat-1-1']))!
    const path = undo.url.replace('/back-office', '')
    assert.equal(await statusOf(operations.client.forge('DELETE', path, undo.data)), 401)
    await ownerRows(`UPDATE staff SET role = 'support' WHERE email = ?`, operations.email)
    assert.equal(await statusOf(operations.client.undo(undo)), 403)
    assert.deepEqual(await statesOf(event.id), { 'seat-1-1': 'blocked' })
  })
})
