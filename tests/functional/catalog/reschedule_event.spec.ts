import RescheduleEvent, { type RescheduleEventInput } from '#catalog/actions/reschedule_event'
import type { FieldProblem, Refusal } from '#shared/refusals'
import { cancelEvent, moveStart } from '#tests/support/circumstances'
import { anEvent, aSale, sell, TESTER } from '#tests/support/fixtures'
import { one, rows } from '#tests/support/rows'
import { test } from '@japa/runner'

const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS)

const move = ({ id }: { id: string }, times: Partial<RescheduleEventInput> = {}) =>
  new RescheduleEvent().handle({
    eventId: id,
    startsAt: inHours(100),
    endsAt: inHours(103),
    salesStartAt: null,
    reason: 'Болезнь солиста',
    actor: TESTER,
    ...times,
  })
const problemsOf = (refused: Promise<unknown>) =>
  refused.then(
    () => [],
    (error: unknown) => (error as Refusal).details.fields as FieldProblem[]
  )
const journalOf = ({ id }: { id: string }) =>
  rows(
    `SELECT name, actor_kind, change FROM journal WHERE event_id = ? AND name <> 'event_created' ORDER BY id`,
    id
  )

const lastOf = async (event: { id: string }) => {
  const entries = await journalOf(event)
  return entries.at(-1)!
}

test.group('Rescheduling an event', () => {
  test('partners learn the new start, and tickets stay valid', async ({ assert }) => {
    const { client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-1-1'])
    const was = await one('SELECT starts_at FROM events WHERE id = ?', event.id)
    const startsAt = inHours(50)
    await move(event, { startsAt, endsAt: inHours(53) })

    const last = await lastOf(event)
    assert.equal(last.name, 'event_rescheduled')
    assert.equal(last.change.from, was.starts_at.toISOString())
    assert.equal(last.change.to, startsAt.toISOString())
    const { data } = await client.get(`/events/${event.id}`)
    assert.equal(new Date(data.starts_at as string).getTime(), startsAt.getTime())
    const ticket = await one('SELECT status FROM tickets WHERE order_id = ?', sold.order_id)
    assert.equal(ticket.status, 'active')
  })

  test('another end alone is an edit, not a new date', async ({ assert }) => {
    const event = await anEvent()
    const { starts_at: startsAt } = await one('SELECT starts_at FROM events WHERE id = ?', event.id)
    const endsAt = new Date(startsAt.getTime() + 5 * HOUR_MS)
    await move(event, { startsAt, endsAt })
    const last = await lastOf(event)
    assert.equal(last.name, 'event_edited')
    assert.deepEqual(Object.keys(last.change.changed), ['endsAt'])
  })

  test('sales that the clock has closed stay closed, and the journal says by whom', async ({
    assert,
  }) => {
    const event = await anEvent()
    await moveStart(event, '-10 minutes')
    await move(event)
    const { stored_status: status } = await one(
      'SELECT stored_status FROM events WHERE id = ?',
      event.id
    )
    assert.equal(status, 'sales_closed')
    const entries = await journalOf(event)
    const [closed, moved] = entries.slice(-2)
    assert.deepInclude(closed, { name: 'event_status_changed', actor_kind: 'clock' })
    assert.equal(moved.name, 'event_rescheduled')
  })

  const SENSELESS: [what: string, times: () => Partial<RescheduleEventInput>, field: string][] = [
    ['a start in the past', () => ({ startsAt: inHours(-1) }), 'startsAt'],
    ['an end before the start', () => ({ endsAt: inHours(99) }), 'endsAt'],
    ['sales that open after the start', () => ({ salesStartAt: inHours(101) }), 'salesStartAt'],
    ['sales that open in the past', () => ({ salesStartAt: inHours(-1) }), 'salesStartAt'],
  ]
  for (const [what, times, field] of SENSELESS) {
    test(`${what} is refused, and nothing moves`, async ({ assert }) => {
      const event = await anEvent()
      const before = await one('SELECT * FROM events WHERE id = ?', event.id)
      const [problem] = await problemsOf(move(event, times()))
      assert.equal(problem.field, field)
      assert.deepEqual(await one('SELECT * FROM events WHERE id = ?', event.id), before)
    })
  }

  test('the same times are refused', async ({ assert }) => {
    const event = await anEvent()
    const { starts_at: startsAt, ends_at: endsAt } = await one(
      'SELECT starts_at, ends_at FROM events WHERE id = ?',
      event.id
    )
    const [problem] = await problemsOf(move(event, { startsAt, endsAt }))
    assert.equal(problem.rule, 'other')
  })

  test('a cancelled event and one that has ended stay where they are', async ({ assert }) => {
    const [cancelled, ended] = [await anEvent(), await anEvent()]
    await cancelEvent(cancelled)
    await moveStart(ended, '-4 hours')
    for (const event of [cancelled, ended])
      await assert.rejects(() => move(event), /cancelled or has ended/)
  })

  test('of two who move it from the same page only the first does', async ({ assert }) => {
    const event = await anEvent()
    const { starts_at: seenStart } = await one(
      'SELECT starts_at FROM events WHERE id = ?',
      event.id
    )
    const both = await Promise.allSettled([
      move(event, { seenStart, startsAt: inHours(80) }),
      move(event, { seenStart, startsAt: inHours(90) }),
    ])
    assert.sameMembers(
      both.map(({ status }) => status),
      ['fulfilled', 'rejected']
    )
  })
})
