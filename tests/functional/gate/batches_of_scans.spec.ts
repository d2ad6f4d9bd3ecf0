import { findGateEvent, listGateEvents } from '#gate/phones/gate_events'
import type { Verdict } from '#gate/phones/gate_props'
import { cancelEvent, moveStart } from '#tests/support/circumstances'
import { aSale, anEvent, sell } from '#tests/support/fixtures'
import { one, rows } from '#tests/support/rows'
import { refund } from '#tests/support/operations'
import { StaffClient } from '#tests/support/staff_client'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'

const aScan = (eventId: string, token: string, more: object = {}) => ({
  id: randomUUID(),
  eventId,
  token,
  gate: null,
  offlineAt: null,
  refusedOffline: null,
  ...more,
})

async function aPhoneWithTickets() {
  const [{ client, event }, phone] = await Promise.all([aSale(), StaffClient.signedIn('gate')])
  const order = await sell(client, event.id, ['seat-1-1', 'seat-1-2'])
  const tokens = (order.tickets as { qr_token: string }[]).map((ticket) => ticket.qr_token)
  const send = (scans: object[]) =>
    phone.send('POST', '/back-office/gate/scans', { scans }, { Accept: 'application/json' })
  const verdictsOf = async (scans: object[]) => {
    const answer = await send(scans)
    const { verdicts } = (await answer.json()) as { verdicts: Verdict[] }
    return verdicts
  }
  return { client, event, order, tokens, send, verdictsOf }
}

test.group('Scans that a phone sends together', () => {
  test('are judged one after the other: of two scans of a ticket the first one admits', async ({
    assert,
  }) => {
    const { event, tokens, verdictsOf } = await aPhoneWithTickets()
    const verdicts = await verdictsOf([
      aScan(event.id, tokens[0], { gate: 'A' }),
      aScan(event.id, tokens[0], { gate: 'B' }),
      aScan(event.id, tokens[1]),
    ])
    assert.deepEqual(
      verdicts.map(({ verdict }) => verdict),
      ['admitted', 'TICKET_ALREADY_USED', 'admitted']
    )
    assert.equal(verdicts[1].gate, 'A')
  })

  test('name their gate without spaces around it, or their person', async ({ assert }) => {
    const { event, tokens, verdictsOf } = await aPhoneWithTickets()
    const [named, unnamed] = await verdictsOf([
      aScan(event.id, tokens[0], { gate: ' Gate 7 ' }),
      aScan(event.id, tokens[1], { gate: '  ' }),
    ])
    assert.equal(named.gate, 'Gate 7')
    assert.notEqual(unnamed.gate!.trim(), '')
  })

  test('name the event of a ticket that is for another one', async ({ assert }) => {
    const { event, tokens, verdictsOf } = await aPhoneWithTickets()
    const other = await anEvent()
    const [verdict] = await verdictsOf([aScan(other.id, tokens[0])])
    assert.equal(verdict.verdict, 'TICKET_WRONG_EVENT')
    assert.equal(verdict.event?.id, event.id)
  })

  test('say when the event of an expired ticket ended', async ({ assert }) => {
    const { event, tokens, verdictsOf } = await aPhoneWithTickets()
    await moveStart(event, '-4 hours')
    const { ends_at: endsAt } = await one('SELECT ends_at FROM events WHERE id = ?', event.id)
    const [verdict] = await verdictsOf([aScan(event.id, tokens[0])])
    assert.equal(verdict.verdict, 'TICKET_EXPIRED')
    assert.equal(Date.parse(verdict.endedAt!), endsAt.getTime())
  })

  test('say why a ticket is void', async ({ assert }) => {
    const { client, event, order, tokens, verdictsOf } = await aPhoneWithTickets()
    await refund(client, order.order_id, [order.tickets[0].ticket_id])
    const [verdict] = await verdictsOf([aScan(event.id, tokens[0])])
    assert.deepEqual([verdict.verdict, verdict.cause], ['TICKET_VOID', 'refund'])
  })

  test('keep the reason for which a phone without network refused the guest', async ({
    assert,
  }) => {
    const { event, tokens, verdictsOf } = await aPhoneWithTickets()
    const reasons = [
      'QR_INVALID',
      'TICKET_WRONG_EVENT',
      'TICKET_ALREADY_USED',
      'TICKET_VOID',
      'TICKET_EXPIRED',
    ]
    const offlineAt = new Date().toISOString()
    const verdicts = await verdictsOf(
      reasons.map((refusedOffline) => aScan(event.id, tokens[0], { offlineAt, refusedOffline }))
    )
    assert.deepEqual(
      verdicts.map(({ verdict }) => verdict as string),
      reasons
    )
    const recorded = await rows(
      'SELECT verdict FROM ticket_scans WHERE event_id = ? ORDER BY id',
      event.id
    )
    assert.deepEqual(
      recorded.map(({ verdict }) => verdict as string),
      reasons
    )
  })

  test('are fifty at most', async ({ assert }) => {
    const { send } = await aPhoneWithTickets()
    const sent = async (scans: number) => {
      const { status } = await send(Array.from({ length: scans }, () => ({})))
      return status
    }
    assert.deepEqual([await sent(50), await sent(51)], [200, 422])
  })
})

test.group('Events that a gate can be set to', () => {
  test('say that they were cancelled after a phone was set to them', async ({ assert }) => {
    const event = await anEvent()
    const isCancelled = async () => {
      const found = await findGateEvent.first({ event: event.id })
      return found!.isCancelled
    }
    assert.isFalse(await isCancelled())
    await cancelEvent(event)
    assert.isTrue(await isCancelled())
  })

  const listedIds = async () => {
    const events = await listGateEvents()
    return events.map(({ id }) => id)
  }

  test('are those of two days and of the future, without cancelled ones', async ({ assert }) => {
    const [yesterday, longAgo, cancelled] = [await anEvent(), await anEvent(), await anEvent()]
    await moveStart(yesterday, '-47 hours')
    await moveStart(longAgo, '-49 hours')
    await cancelEvent(cancelled)
    const listed = await listedIds()
    assert.include(listed, yesterday.id)
    assert.notInclude(listed, longAgo.id)
    // Those of yesterday come first; later ones may be beyond the longest list.
    await moveStart(cancelled, '-47 hours')
    assert.notInclude(await listedIds(), cancelled.id)
  })
})
