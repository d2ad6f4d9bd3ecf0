import { dataOf, jsonOf, statusOf } from '#tests/support/answers'
import { readCursor, writeCursor } from '#partners/feed/feed_cursor'
import {
  cancelEvent,
  changeStatus,
  moveStart,
  reprice,
  storefrontHolds,
  suspend,
} from '#tests/support/circumstances'
import { assertInvalid, assertRefused } from '#tests/support/expectations'
import { aPartner, aSale, anEvent, grant } from '#tests/support/fixtures'
import type { EventOptions, TestPartner } from '#tests/support/fixtures'
import type { Answer, PartnerClient } from '#tests/support/partner_client'
import { one, ownerRows } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const idsOf = ({ data }: Answer) => data.map((event: any) => event.event_id) as string[]

async function grantedEvent(partner: TestPartner, options: EventOptions = {}) {
  const event = await anEvent(options)
  await grant(partner, event)
  return event
}

/** A partner with events that start at these local moments of the venue, in the order given. */
async function eventsAt(...moments: string[]) {
  const partner = await aPartner()
  const ids: string[] = []
  for (const moment of moments) {
    const startsAt = new Date(`${moment}+05:00`)
    const { id } = await grantedEvent(partner, { startsAt })
    ids.push(id)
  }
  return { partner, client: partner.client, ids }
}

test.group('GET /events', () => {
  test('an event has the fields of the contract', async ({ assert }) => {
    const { client, event } = await aSale({ event: { startsAt: new Date('2030-01-15T14:00:00Z') } })

    const { status, data, json } = await client.get('/events')

    assert.equal(status, 200)
    assert.containsSubset(data[0], {
      event_id: event.id,
      title: { ru: 'Концерт', kk: 'Концерт', en: 'Concert' },
      status: 'sales_open',
      access: 'active',
      event_type: 'concert',
      age_rating: '12+',
      starts_at: '2030-01-15T19:00:00+05:00',
      ends_at: '2030-01-15T22:00:00+05:00',
      sales_start_at: null,
      max_seats_per_booking: 8,
      price_from_tenge: 5_000,
      currency: 'KZT',
    })
    assert.containsSubset(json.meta, { total: 1, limit: 50, offset: 0 })
    assert.isString(json.meta.cursor)
  })

  test('unset type, rating and prices are null', async ({ assert }) => {
    const { client } = await aSale({ event: { type: null, ageRating: null, prices: {} } })
    const { data } = await client.get('/events')
    assert.containsSubset(data[0], { event_type: null, age_rating: null, price_from_tenge: null })
  })

  test('the hall plan opens, and its elements are the seats', async ({ assert }) => {
    const { client } = await aSale()
    const { data } = await client.get('/events')
    const plan = await fetch(data[0].hall_plan_url)
    assert.match(await plan.text(), /id="seat-1-1"/)
  })

  test('only scheduled, open and paused events are listed', async ({ assert }) => {
    const partner = await aPartner()
    const shown: string[] = []
    for (const status of ['sales_scheduled', 'sales_open', 'sales_paused'] as const) {
      const { id } = await grantedEvent(partner, { status })
      shown.push(id)
    }
    await grantedEvent(partner, { status: 'sales_closed' })
    await cancelEvent(await grantedEvent(partner))
    await moveStart(await grantedEvent(partner), '-1 minute')

    assert.sameMembers(idsOf(await partner.client.get('/events')), shown)
  })

  test('only events with a grant in force are listed', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    await anEvent()
    await grant(partner, await grantedEvent(partner), 'revoked')
    assert.deepEqual(idsOf(await client.get('/events')), [event.id])
  })

  test('without grants the list is empty', async ({ assert }) => {
    const { client } = await aPartner()
    const { data, json } = await client.get('/events')
    assert.deepEqual([data, json.meta.total], [[], 0])
  })

  test('filters by the date at the venue, end included', async ({ assert }) => {
    const moments = ['2031-03-09T23:59:59', '2031-03-10T00:00:00', '2031-03-11T23:59:59']
    const { client, ids } = await eventsAt(...moments, '2031-03-12T00:00:00')
    const list = async (query: string) => idsOf(await client.get(`/events?${query}`))

    assert.deepEqual(await list('date_from=2031-03-10&date_to=2031-03-11'), ids.slice(1, 3))
    assert.deepEqual(await list('date_from=2031-03-11'), ids.slice(2))
    assert.deepEqual(await list('date_to=2031-03-09'), ids.slice(0, 1))
    assert.deepEqual(await list('date_from=2031-03-12&date_to=2031-03-10'), [])
  })

  test('filters by venue', async ({ assert }) => {
    const { client, event } = await aSale()
    const { data } = await client.get('/events')
    const list = async (venue: string) => idsOf(await client.get(`/events?venue_id=${venue}`))
    assert.deepEqual(await list(data[0].venue_id), [event.id])
    assert.deepEqual(await list('ven_00000000000000000000000000'), [])
    assert.deepEqual(await list(encodeURIComponent('Дворец')), [])
  })

  test('filters by type', async ({ assert }) => {
    const partner = await aPartner()
    const sport = await grantedEvent(partner, { type: 'sport' })
    await grantedEvent(partner, { type: 'concert' })
    assert.deepEqual(idsOf(await partner.client.get('/events?event_type=sport')), [sport.id])
    assert.deepEqual(idsOf(await partner.client.get('/events?event_type=kids')), [])
  })

  test('pages follow each other without gaps, by start', async ({ assert }) => {
    const days = ['2032-01-03', '2032-01-01', '2032-01-02', '2032-01-01', '2032-01-04']
    const { client, ids } = await eventsAt(...days.map((day) => `${day}T19:00:00`))
    const pages = await Promise.all(
      [0, 2, 4].map((offset) => client.get(`/events?limit=2&offset=${offset}`))
    )

    const seen = pages.flatMap(idsOf)
    assert.sameMembers(seen, ids)
    assert.deepEqual([seen[2], seen[3], seen[4]], [ids[2], ids[0], ids[4]])
    for (const { json } of pages) assert.containsSubset(json.meta, { total: 5, limit: 2 })
    assert.deepEqual(
      pages.map(({ json }) => json.meta.offset),
      [0, 2, 4]
    )
  })

  test('an offset beyond the end still returns the total', async ({ assert }) => {
    const { client } = await aSale()
    const { data, json } = await client.get('/events?offset=2147483647')
    assert.deepEqual([data, json.meta.total], [[], 1])
  })

  test('the total counts the filtered events', async ({ assert }) => {
    const { client } = await eventsAt('2033-05-01T10:00:00', '2033-05-02T10:00:00')
    const { json } = await client.get('/events?date_from=2033-05-02&limit=1')
    assert.equal(json.meta.total, 1)
  })

  for (const limit of ['1', '100']) {
    test(`limit=${limit} is valid`, async ({ assert }) => {
      const { client } = await aPartner()
      assert.equal(jsonOf(await client.get(`/events?limit=${limit}`)).meta.limit, Number(limit))
    })
  }

  for (const [field, value] of [
    ...['0', '101', '-1', '1.5', '1e1', 'ten', '', '%2050', '99999999999'].map((v) => ['limit', v]),
    ...['-1', 'x', '', '2147483648', '1,2'].map((v) => ['offset', v]),
    ...[
      '2026-02-30',
      '2026-13-01',
      '26-01-01',
      '2026-1-1',
      '',
      '2026-01-01T00:00',
      'tomorrow',
    ].flatMap((v) => [
      ['date_from', v],
      ['date_to', v],
    ]),
    ...['opera', 'Concert', '', 'concert,sport'].map((v) => ['event_type', v]),
    ...['', 'x'.repeat(65), '%00'].map((v) => ['venue_id', v]),
  ]) {
    test(`${field}=${value.slice(0, 20)} is invalid`, async () => {
      const { client } = await aPartner()
      assertInvalid(await client.get(`/events?${field}=${value}`), field)
    })
  }

  test('a repeated parameter is invalid', async () => {
    const { client } = await aPartner()
    assertInvalid(await client.get('/events?limit=5&limit=5'), 'limit')
  })

  test('an unknown parameter is ignored', async ({ assert }) => {
    const { client } = await aPartner()
    assert.equal(statusOf(await client.get('/events?colour=red')), 200)
  })

  test('a suspended partner is refused with PARTNER_DISABLED', async () => {
    const { client, partner } = await aSale()
    await suspend(partner)
    assertRefused(await client.get('/events'), 'PARTNER_DISABLED')
  })
})

const poll = (client: PartnerClient, cursor: string, more = '') =>
  client.get(`/events?updated_since=${cursor}${more}`)

async function aReader(event: EventOptions = {}) {
  const sale = await aSale({ event })
  const { json } = await sale.client.get('/events')
  return { ...sale, cursor: json.meta.cursor as string }
}

test.group('GET /events?updated_since=', () => {
  test('without changes: an empty list and a new cursor', async ({ assert }) => {
    const { client, cursor } = await aReader()
    const { data, json } = await poll(client, cursor)
    assert.deepEqual(data, [])
    assert.containsSubset(json.meta, { total: 0, limit: 0, offset: 0 })
    assert.isString(json.meta.cursor)
  })

  const changes: Record<string, [change: (event: { id: string }) => unknown, seen: object]> = {
    'a pause': [(event) => changeStatus(event, 'pause'), { status: 'sales_paused' }],
    'a close': [(event) => changeStatus(event, 'close'), { status: 'sales_closed' }],
    'a cancellation': [cancelEvent, { status: 'cancelled' }],
    'a new lowest price': [
      (event) => reprice(event, { standard: 100n }),
      { price_from_tenge: 100 },
    ],
    'a new start': [
      ({ id }) =>
        ownerRows(
          `UPDATE events SET ends_at = '2035-02-02Z', starts_at = '2035-02-01Z' WHERE id = ?`,
          id
        ),
      { starts_at: '2035-02-01T05:00:00+05:00' },
    ],
    'a new title': [
      ({ id }) =>
        ownerRows(`UPDATE events SET title = '{"ru":"А","kk":"Ә","en":"B"}' WHERE id = ?`, id),
      { title: { ru: 'А', kk: 'Ә', en: 'B' } },
    ],
  }
  for (const [name, [change, seen]] of Object.entries(changes)) {
    test(`${name} is returned once, in the newest state`, async ({ assert }) => {
      const { client, event, cursor } = await aReader()
      await change(event)

      const { data, json } = await poll(client, cursor)

      assert.lengthOf(data, 1)
      assert.containsSubset(data[0], { event_id: event.id, access: 'active', ...seen })
      assert.deepEqual(dataOf(await poll(client, json.meta.cursor)), [])
    })
  }

  test('an event is returned once, however often it changed', async ({ assert }) => {
    const { client, event, cursor } = await aReader()
    await changeStatus(event, 'pause')
    await changeStatus(event, 'open')
    await changeStatus(event, 'close')
    const { data } = await poll(client, cursor)
    assert.deepEqual([data.length, data[0].status], [1, 'sales_closed'])
  })

  test('a price change that keeps the lowest price is no change', async ({ assert }) => {
    const { client, event, cursor } = await aReader()
    await reprice(event, { standard: 12_000n, vip: 90_000n, fan: 9_000n, invitation: 5_000n })
    assert.deepEqual(dataOf(await poll(client, cursor)), [])
  })

  test('held and sold seats are no change', async ({ assert }) => {
    const { client, event, cursor } = await aReader()
    await storefrontHolds(event, 'seat-1-1')
    assert.deepEqual(dataOf(await poll(client, cursor)), [])
  })

  test('a new grant is a change', async ({ assert }) => {
    const { client, partner, cursor } = await aReader()
    const event = await grantedEvent(partner)
    assert.deepEqual(idsOf(await poll(client, cursor)), [event.id])
  })

  test('a grant on an old event is a change', async ({ assert }) => {
    const event = await anEvent()
    const { client, partner, cursor } = await aReader()
    await grant(partner, event)
    assert.deepEqual(idsOf(await poll(client, cursor)), [event.id])
  })

  test('a revoked grant is a change, and so is a renewed one', async ({ assert }) => {
    const { client, event, partner, cursor } = await aReader()
    await grant(partner, event, 'revoked')
    const revoked = await poll(client, cursor)
    assert.containsSubset(revoked.data, [{ event_id: event.id, access: 'revoked' }])

    await grant(partner, event)
    const returned = await poll(client, revoked.json.meta.cursor)
    assert.containsSubset(returned.data, [{ event_id: event.id, access: 'active' }])
  })

  test('a revoked event that changes afterwards stays revoked in the feed', async ({ assert }) => {
    const { client, event, partner } = await aReader()
    await grant(partner, event, 'revoked')
    const { json } = await client.get('/events')
    await cancelEvent(event)
    const { data } = await poll(client, json.meta.cursor)
    assert.containsSubset(data, [{ access: 'revoked', status: 'cancelled' }])
  })

  test('an event without a grant is never in the feed', async ({ assert }) => {
    const { client, cursor } = await aReader()
    const stranger = await anEvent()
    await changeStatus(stranger, 'pause')
    assert.deepEqual(dataOf(await poll(client, cursor)), [])
  })

  test('sales opened by the clock are a change', async ({ assert }) => {
    const salesStartAt = new Date(Date.now() + 400)
    const { client, event, cursor } = await aReader({ status: 'sales_scheduled', salesStartAt })
    assert.deepEqual(dataOf(await poll(client, cursor)), [])
    await new Promise((resolve) => setTimeout(resolve, 500))

    const { data, json } = await poll(client, cursor)
    assert.containsSubset(data, [{ event_id: event.id, status: 'sales_open' }])
    assert.deepEqual(dataOf(await poll(client, json.meta.cursor)), [])
  })

  test('sales closed by the clock are a change', async ({ assert }) => {
    const startsAt = new Date(Date.now() + 400)
    const { client, event, cursor } = await aReader({ startsAt })
    await new Promise((resolve) => setTimeout(resolve, 500))
    const { data } = await poll(client, cursor)
    assert.containsSubset(data, [{ event_id: event.id, status: 'sales_closed' }])
  })

  test('a change committed late by a long transaction is returned', async ({ assert }) => {
    const { client, event, partner } = await aReader()
    const quick = await grantedEvent(partner)
    const slow = await db.transaction()
    await slow.rawQuery(`UPDATE events SET age_rating = '18+' WHERE id = ?`, [event.id])
    await changeStatus(quick, 'pause')
    const { json } = await client.get('/events')
    await slow.commit()

    const late = await poll(client, json.meta.cursor)

    assert.include(idsOf(late), event.id)
    assert.equal(late.data.find((seen: any) => seen.event_id === event.id).age_rating, '18+')
  })

  test('a late commit reaches a reader that polls all the time', async ({ assert }) => {
    const { client, event, partner, cursor: first } = await aReader()
    const slow = await db.transaction()
    await slow.rawQuery(`UPDATE events SET age_rating = '21+' WHERE id = ?`, [event.id])
    const rounds: string[] = []
    let cursor = first
    for (let round = 0; round < 4; round++) {
      if (round === 2) await slow.commit()
      else await grantedEvent(partner)
      const answer = await poll(client, cursor)
      rounds.push(
        ...answer.data.filter((seen: any) => seen.age_rating === '21+').map(() => `${round}`)
      )
      cursor = answer.json.meta.cursor
    }
    assert.deepEqual(rounds, ['2'])
  })

  test('a change that is rolled back is never returned', async ({ assert }) => {
    const { client, event, cursor } = await aReader()
    const trx = await db.transaction()
    await trx.rawQuery(`UPDATE events SET age_rating = '18+' WHERE id = ?`, [event.id])
    await trx.rollback()
    assert.deepEqual(dataOf(await poll(client, cursor)), [])
  })

  test('limit and offset are ignored', async ({ assert }) => {
    const { client, partner, cursor } = await aReader()
    for (let i = 0; i < 3; i++) await grantedEvent(partner)
    const outOfRange = await poll(client, cursor, '&limit=101&offset=abc')
    assert.lengthOf(dataOf(outOfRange), 3)
    const { data, json } = await poll(client, cursor, '&limit=1&offset=2')
    assert.lengthOf(data, 3)
    assert.containsSubset(json.meta, { total: 3, limit: 3, offset: 0 })
  })

  test('the cursor that a partner last sent is kept, not the one it was given', async ({
    assert,
  }) => {
    const { client, partner, cursor } = await aReader()
    const read = () => one('SELECT * FROM feed_reads WHERE partner_id = ?', partner.id)
    assert.isUndefined(await read())
    const event = await grantedEvent(partner)
    const knows = async (position: string) => {
      const { it } = await one(
        `SELECT pg_visible_in_snapshot(g.change_xid, ?::pg_snapshot) AS it FROM event_grants g
          WHERE partner_id = ? AND event_id = ?`,
        position,
        partner.id,
        event.id
      )
      return it as boolean
    }

    const first = await poll(client, cursor)
    const before = await read()
    assert.isFalse(await knows(before.acknowledged))

    await poll(client, jsonOf(first).meta.cursor)
    const after = await read()
    assert.isTrue(await knows(after.acknowledged))
    assert.isAbove(after.read_at.getTime(), before.read_at.getTime())

    await ownerRows(`UPDATE feed_reads SET epoch = 'former' WHERE partner_id = ?`, partner.id)
    await poll(client, cursor)
    const { epoch } = await read()
    assert.equal(epoch, readCursor(partner.id, cursor)!.epoch)
  })

  test('more changes than a page are returned in full', async ({ assert }) => {
    const { client, partner, cursor } = await aReader()
    const ids = await Promise.all(Array.from({ length: 12 }, () => anEvent()))
    for (const event of ids) await grant(partner, event)
    assert.lengthOf(dataOf(await poll(client, cursor, '&limit=5')), 12)
  })

  test('the same cursor may be used again', async ({ assert }) => {
    const { client, event, cursor } = await aReader()
    await changeStatus(event, 'pause')
    assert.deepEqual(dataOf(await poll(client, cursor)), dataOf(await poll(client, cursor)))
  })

  test("another partner's cursor is invalid", async () => {
    const { cursor } = await aReader()
    const { client } = await aPartner()
    assertInvalid(await poll(client, cursor), 'updated_since')
  })

  for (const [name, damage] of Object.entries<(cursor: string) => string>({
    'cut short': (cursor) => cursor.slice(0, -1),
    'grown': (cursor) => `${cursor}A`,
    'with another first character': (cursor) => (cursor[0] === 'A' ? 'B' : 'A') + cursor.slice(1),
    'with another last block': (cursor) => `${cursor.slice(0, -4)}AAAA`,
    'empty': () => '',
    'a time of the client': () => '2026-09-18T19:00:00Z',
    'a number': () => '1',
    'not ASCII': () => encodeURIComponent('курсор'),
    'NUL': () => '%00',
  })) {
    test(`a cursor ${name} is invalid`, async () => {
      const { client, cursor } = await aReader()
      assertInvalid(await poll(client, damage(cursor)), 'updated_since')
    })
  }

  test('a cursor from before a restore or failover returns everything', async ({ assert }) => {
    const { client, event, partner, cursor } = await aReader()
    const closed = await grantedEvent(partner, { status: 'sales_closed' })
    const row = readCursor(partner.id, cursor)!
    const parts = row.epoch.split('.')
    assert.lengthOf(parts, 4)

    for (const at of parts.keys()) {
      const epoch = parts.with(at, `${BigInt(parts[at]) + 1n}`).join('.')
      const old = writeCursor(partner.id, { ...row, epoch })
      assert.sameMembers(idsOf(await poll(client, old)), [event.id, closed.id])
    }
  })

  test('a cursor ahead of this cluster returns everything', async ({ assert }) => {
    const { client, event, partner, cursor } = await aReader()
    const { xid } = await one(
      `SELECT (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000)::text AS xid`
    )
    const ahead = writeCursor(partner.id, {
      ...readCursor(partner.id, cursor)!,
      snapshot: `${xid}:${xid}:`,
    })
    assert.deepEqual(idsOf(await poll(client, ahead)), [event.id])
  })

  test('the cursor of a full resync returns nothing until an event changes, then that event', async ({
    assert,
  }) => {
    const { client, event, partner, cursor } = await aReader()
    const old = writeCursor(partner.id, { ...readCursor(partner.id, cursor)!, epoch: '1.00000001' })
    const { json } = await poll(client, old)
    assert.deepEqual(dataOf(await poll(client, json.meta.cursor)), [])
    await changeStatus(event, 'pause')
    assert.deepEqual(idsOf(await poll(client, json.meta.cursor)), [event.id])
  })

  test('a suspended partner has no feed', async () => {
    const { client, partner, cursor } = await aReader()
    await suspend(partner)
    assertRefused(await poll(client, cursor), 'PARTNER_DISABLED')
  })
})
