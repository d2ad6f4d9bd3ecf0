import { closeSaleGate } from '#catalog/sale_gate'
import platform from '#config/platform'
import RequestCancellation from '#sales/cancel_event/request_cancellation'
import CancelEvent from '#sales/cancel_event/cancel_event'
import { ApproveCancellation, DeclineCancellation } from '#sales/cancel_event/decide_cancellation'
import expireOverdue from '#sales/expire_overdue/expire_overdue'
import type { Actor } from '#shared/actor'
import { cancelEvent } from '#tests/support/circumstances'
import { anEvent, aSale, sell } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import { one, ownerRows, rows } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { untilSomebodyWaits } from '../races/support/gate_hold.js'

const staff = (name: string): Actor => ({ kind: 'staff', name, requestId: null })
const [ANNA, BOLAT, VERA] = ['anna@staff.test', 'bolat@staff.test', 'vera@staff.test'].map(staff)

async function aSoldEvent() {
  const { client, event } = await aSale()
  await sell(client, event.id, ['seat-1-1', 'seat-1-2'])
  return event
}
async function ask({ id: eventId }: { id: string }) {
  await new RequestCancellation().handle({ eventId, reason: 'Болезнь солиста', actor: ANNA })
  const { id } = await one(
    'SELECT id FROM cancellation_requests WHERE event_id = ? ORDER BY id DESC LIMIT 1',
    eventId
  )
  return id as number
}
const approve = (requestId: number, actor: Actor) =>
  new ApproveCancellation().handle({ requestId, actor })
const codeOf = async (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    (error: unknown) => (error as { refusalCode: string }).refusalCode
  )
const statusOf = async ({ id }: { id: string }) => {
  const { stored_status: status } = await one('SELECT stored_status FROM events WHERE id = ?', id)
  return status as string
}
const lapse = (id: number) =>
  ownerRows(
    `UPDATE cancellation_requests SET lapses_at = clock_timestamp() - interval '1 second' WHERE id = ?`,
    id
  )
const journalNamesOf = async ({ id }: { id: string }) => {
  const entries = await rows(
    `SELECT name FROM journal WHERE event_id = ? AND name LIKE 'event_cancel%' ORDER BY id`,
    id
  )
  return entries.map(({ name }) => name as string)
}

test.group('Cancelling', () => {
  test('a cancelled event is not cancelled once more', async ({ assert }) => {
    const event = await aSoldEvent()
    assert.equal(await codeOf(cancelEvent(event)), 'done')
    assert.equal(await codeOf(cancelEvent(event)), 'STATUS_NOT_REACHABLE')
    assert.deepEqual(await journalNamesOf(event), ['event_cancelled'])
  })
})

test.group('Cancelling with a second person', (group) => {
  group.each.setup(() => {
    const before = platform.secondPerson
    platform.secondPerson = true
    return () => {
      platform.secondPerson = before
    }
  })
  const cancelAlone = ({ id: eventId }: { id: string }, actor = ANNA) =>
    codeOf(new CancelEvent().handle({ eventId, reason: 'Болезнь солиста', actor }))

  test('one person cannot cancel an event with sales, but one without', async ({ assert }) => {
    const [sold, unsold] = [await aSoldEvent(), await anEvent()]
    assert.equal(await cancelAlone(sold), 'SECOND_PERSON_NEEDED')
    assert.equal(await statusOf(sold), 'sales_open')
    assert.equal(await cancelAlone(unsold), 'done')
  })

  test('nothing changes until another person approves; the tickets and the journal name both', async ({
    assert,
  }) => {
    const event = await aSoldEvent()
    const request = await ask(event)
    assert.equal(await statusOf(event), 'sales_open')
    assert.equal(await codeOf(approve(request, ANNA)), 'OWN_REQUEST')
    assert.equal(await statusOf(event), 'sales_open')

    const { tickets_voided: tickets } = await approve(request, BOLAT)
    assert.equal(tickets, 2)
    assert.equal(await statusOf(event), 'cancelled')
    assert.deepEqual(await journalNamesOf(event), [
      'event_cancellation_asked',
      'event_cancellation_approved',
      'event_cancelled',
    ])
    const { actor, change } = await one(
      `SELECT actor, change FROM journal WHERE event_id = ? AND name = 'event_cancelled'`,
      event.id
    )
    assert.deepEqual([actor, change.asked_by], [BOLAT.name, ANNA.name])
    const decided = await one(
      'SELECT outcome, ended_by FROM cancellation_requests WHERE id = ?',
      request
    )
    assert.deepEqual(decided, { outcome: 'approved', ended_by: BOLAT.name })
  })

  test('two approvals at once cancel once', async ({ assert }) => {
    const event = await aSoldEvent()
    const request = await ask(event)
    const answers = await Promise.all(
      [BOLAT, VERA].map((person) => codeOf(approve(request, person)))
    )
    assert.sameMembers(answers, ['done', 'REQUEST_NOT_OPEN'])
    const names = await journalNamesOf(event)
    assert.lengthOf(
      names.filter((name) => name === 'event_cancelled'),
      1
    )
  })

  test('of a simultaneous approval and refusal one counts', async ({ assert }) => {
    const event = await aSoldEvent()
    const requestId = await ask(event)
    const decline = new DeclineCancellation().handle({ requestId, reason: 'Рано', actor: VERA })
    const answers = await Promise.all([codeOf(approve(requestId, BOLAT)), codeOf(decline)])
    assert.sameMembers(answers, ['done', 'REQUEST_NOT_OPEN'])
    assert.equal((await statusOf(event)) === 'cancelled', answers[0] === 'done')
  })

  test('of two simultaneous requests one is made', async ({ assert }) => {
    const event = await aSoldEvent()
    const asking = (actor: Actor) =>
      codeOf(new RequestCancellation().handle({ eventId: event.id, reason: 'Болезнь', actor }))
    assert.sameMembers(await Promise.all([asking(ANNA), asking(BOLAT)]), ['done', 'ALREADY_EXISTS'])
  })

  test('a declined request is closed and can be made again', async ({ assert }) => {
    const event = await aSoldEvent()
    const requestId = await ask(event)
    await new DeclineCancellation().handle({ requestId, reason: 'Концерт будет', actor: ANNA })
    assert.equal(await codeOf(approve(requestId, BOLAT)), 'REQUEST_NOT_OPEN')
    assert.equal(await codeOf(approve(await ask(event), BOLAT)), 'done')
  })

  test('an expired request cannot be approved, whether swept or not; the sweep stores the expiry', async ({
    assert,
  }) => {
    const event = await aSoldEvent()
    const request = await ask(event)
    await lapse(request)
    assert.equal(await codeOf(approve(request, BOLAT)), 'REQUEST_NOT_OPEN')
    await expireOverdue()
    await expireOverdue()
    assert.deepEqual(await journalNamesOf(event), [
      'event_cancellation_asked',
      'event_cancellation_lapsed',
    ])
    assert.equal(await statusOf(event), 'sales_open')

    const unswept = await ask(event)
    await lapse(unswept)
    assert.notEqual(await ask(event), unswept)
  })

  test('a cancellation from the console ends an open request', async ({ assert }) => {
    const event = await aSoldEvent()
    const request = await ask(event)
    await cancelEvent(event)
    assert.equal(await codeOf(approve(request, BOLAT)), 'REQUEST_NOT_OPEN')
    assert.equal(await codeOf(ask(event)), 'STATUS_NOT_REACHABLE')
    const { outcome } = await one('SELECT outcome FROM cancellation_requests WHERE id = ?', request)
    assert.equal(outcome, 'overtaken')
  })

  test('an event whose tickets are all void can be cancelled by one person', async ({ assert }) => {
    const { client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-1-1'])
    await refund(client, sold.order_id, [sold.tickets[0].ticket_id])
    assert.equal(await cancelAlone(event), 'done')
  })

  test('a request is open for a day, and ends then, whenever the sweep comes', async ({
    assert,
  }) => {
    const event = await aSoldEvent()
    const request = await ask(event)
    const [{ hours }] = await rows(
      `SELECT round(extract(epoch FROM lapses_at - clock_timestamp()) / 3600)::int AS hours FROM cancellation_requests WHERE id = ?`,
      request
    )
    assert.equal(hours, 24)
    await ownerRows(
      `UPDATE cancellation_requests SET lapses_at = clock_timestamp() - interval '1 hour' WHERE id = ?`,
      request
    )
    await expireOverdue()
    const ended = await one(
      `SELECT outcome, ended_at = lapses_at AS "isPunctual" FROM cancellation_requests WHERE id = ?`,
      request
    )
    assert.deepEqual(ended, { outcome: 'lapsed', isPunctual: true })
  })

  test('the cancellation of an event that is cancelled already cannot be requested', async ({
    assert,
  }) => {
    const event = await aSoldEvent()
    await cancelEvent(event)
    assert.equal(await codeOf(ask(event)), 'STATUS_NOT_REACHABLE')
  })

  test('a decision waits for the event before it locks the request', async ({ assert }) => {
    const event = await aSoldEvent()
    const request = await ask(event)
    const trx = await db.transaction()
    await closeSaleGate(event.id, trx)
    const approved = codeOf(approve(request, BOLAT))
    await untilSomebodyWaits()
    const unlocked = await ownerRows(
      'SELECT id FROM cancellation_requests WHERE id = ? FOR UPDATE SKIP LOCKED',
      request
    )
    await trx.rollback()
    assert.equal(await approved, 'done')
    assert.lengthOf(unlocked, 1)
  })
})
