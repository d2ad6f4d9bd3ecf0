import {
  block,
  lapseBooking,
  reprice,
  storefrontHolds,
  storefrontSells,
  suspend,
} from '#tests/support/circumstances'
import { assertCode, assertInvalid, assertRefused } from '#tests/support/expectations'
import { aPartner, aSale, anEvent, book, grant, sell } from '#tests/support/fixtures'
import type { PartnerClient } from '#tests/support/partner_client'
import { one } from '#tests/support/rows'
import { sectorSeatsBody } from '#partner_api/events/sector_seats_body'
import { setSeatPrices } from '#catalog/event_prices'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const summary = (client: PartnerClient, eventId: string, query = '') =>
  client.get(`/events/${eventId}/seats${query}`)
const seatsOf = async (client: PartnerClient, eventId: string, sector = 'sector-a') => {
  const { data } = await client.get(`/events/${eventId}/seats?sector=${sector}`)
  return Object.fromEntries(data.map((seat: any) => [seat.space_id, seat])) as Record<string, any>
}

test.group('GET /events/{event_id}/seats', () => {
  test('returns a summary per sector: lowest price, free and all seats', async ({ assert }) => {
    const { client, event } = await aSale()
    const { status, data, json } = await summary(client, event.id)
    assert.equal(status, 200)
    assert.deepEqual(data, [
      {
        sector_id: 'sector-a',
        name: { ru: 'Сектор a' },
        price_from_tenge: 12_000,
        free_seats: 30,
        total_seats: 30,
      },
      {
        sector_id: 'sector-b',
        name: { ru: 'Сектор b' },
        price_from_tenge: 5_000,
        free_seats: 30,
        total_seats: 30,
      },
    ])
    assert.deepEqual(json.meta, { total: 2, limit: 2, offset: 0 })
  })

  test('held, sold and blocked seats are not free in the summary', async ({ assert }) => {
    const { client, event } = await aSale()
    await book(client, event.id, ['seat-1-1', 'seat-1-2'])
    await sell(client, event.id, ['seat-1-3'])
    await block(event, 'seat-1-4')
    await storefrontHolds(event, 'seat-1-5')
    const { data } = await summary(client, event.id)
    assert.deepEqual([data[0].free_seats, data[0].total_seats], [25, 30])
  })

  test('a summary of one category counts and prices that category only', async ({ assert }) => {
    const { client, event } = await aSale()
    const { data } = await summary(client, event.id, '?category=vip')
    assert.deepEqual(data, [
      {
        sector_id: 'sector-a',
        name: { ru: 'Сектор a' },
        price_from_tenge: 45_000,
        free_seats: 10,
        total_seats: 10,
      },
    ])
  })

  test('a category without a price has no lowest price', async ({ assert }) => {
    const { client, event } = await aSale()
    const { data } = await summary(client, event.id, '?category=service')
    assert.isNull(data[0].price_from_tenge)
  })

  test('returns the seats of a sector in the order of the hall', async ({ assert }) => {
    const { client, event } = await aSale()
    const { data, json } = await summary(client, event.id, '?sector=sector-a')
    assert.deepEqual(data[0], {
      space_id: 'seat-1-1',
      sector_id: 'sector-a',
      row_id: 'row-a-1',
      row_label: '1',
      seat_label: '1',
      status: 'free',
      is_sellable: true,
      category_code: 'vip',
      category_name: { ru: 'VIP', kk: 'VIP', en: 'VIP' },
      price_tenge: 45_000,
    })
    assert.deepEqual([data[9].space_id, data[10].space_id], ['seat-1-10', 'seat-2-1'])
    assert.deepEqual(json.meta, { total: 30, limit: 30, offset: 0 })
  })

  test('each status is current, and only free seats are sellable', async ({ assert }) => {
    const { client, event } = await aSale()
    const rival = await aPartner()
    await grant(rival, event)
    await book(rival.client, event.id, ['seat-1-1'])
    await storefrontHolds(event, 'seat-1-2')
    await sell(client, event.id, ['seat-1-3'])
    await storefrontSells(event, 'seat-1-4')
    await block(event, 'seat-1-5')

    const seats = await seatsOf(client, event.id)

    const seen = [1, 2, 3, 4, 5, 6].map((n) => seats[`seat-1-${n}`])
    const statuses = ['held', 'held', 'sold', 'sold', 'blocked', 'free']
    assert.deepEqual(
      seen.map(({ status }) => status),
      statuses
    )
    assert.deepEqual(
      seen.map((seat) => seat.is_sellable),
      [...Array(5).fill(false), true]
    )
  })

  test('an expired hold is free, before any sweep', async ({ assert }) => {
    const { client, event } = await aSale()
    const { data } = await book(client, event.id, ['seat-1-1'])
    await lapseBooking(data.booking_id)

    const seats = await seatsOf(client, event.id)

    assert.deepEqual([seats['seat-1-1'].status, seats['seat-1-1'].is_sellable], ['free', true])
    const { stored_status: stored } = await one(
      'SELECT * FROM bookings WHERE id = ?',
      data.booking_id
    )
    assert.equal(stored, 'active')
  })

  test('a free seat without a price is not sellable', async ({ assert }) => {
    const { client, event } = await aSale()
    const { 'seat-6-1': seat } = await seatsOf(client, event.id, 'sector-b')
    assert.containsSubset(seat, { status: 'free', is_sellable: false, price_tenge: null })
  })

  test('seats have current prices, or a price of their own', async ({ assert }) => {
    const { client, event } = await aSale()
    await db.transaction((trx) => setSeatPrices(event.id, ['seat-2-2'], 777n, trx))
    await reprice(event, { standard: 15_000n })
    const seats = await seatsOf(client, event.id)
    assert.deepEqual([seats['seat-2-1'].price_tenge, seats['seat-2-2'].price_tenge], [15_000, 777])
  })

  test('filters the seats of a sector by category', async ({ assert }) => {
    const { client, event } = await aSale()
    const { data } = await summary(client, event.id, '?sector=sector-b&category=invitation')
    assert.lengthOf(data, 10)
    assert.isTrue(data.every((seat: any) => seat.category_code === 'invitation'))
  })

  test('a category that the sector does not have returns an empty list', async ({ assert }) => {
    const { client, event } = await aSale()
    const { status, data } = await summary(client, event.id, '?sector=sector-b&category=vip')
    assert.deepEqual([status, data], [200, []])
  })

  test('two who ask for different categories at once each get theirs', async ({ assert }) => {
    const { event } = await aSale()
    const bodies = await Promise.all(
      (['standard', 'vip'] as const).map((category) =>
        sectorSeatsBody(event.id, 'sector-a', category)
      )
    )
    const found = bodies.map((body) => {
      const { data } = JSON.parse(body!.toString()) as { data: { category_code: string }[] }
      return [...new Set(data.map((seat) => seat.category_code))]
    })
    assert.deepEqual(found, [['standard'], ['vip']])
  })

  test('a sale between two reads is visible at once', async ({ assert }) => {
    const { client, event } = await aSale()
    const before = await seatsOf(client, event.id)
    await book(client, event.id, ['seat-1-1'])
    const after = await seatsOf(client, event.id)
    assert.deepEqual([before['seat-1-1'].status, after['seat-1-1'].status], ['free', 'held'])
  })

  test('an event without a grant is refused', async () => {
    const [{ client }, event] = await Promise.all([aPartner(), anEvent()])
    assertRefused(await summary(client, event.id), 'ACCESS_DENIED')
  })

  test('a revoked grant is refused', async () => {
    const { client, event, partner } = await aSale()
    await grant(partner, event, 'revoked')
    assertRefused(await summary(client, event.id, '?sector=sector-a'), 'ACCESS_DENIED')
  })

  test('a suspended partner is refused', async () => {
    const { client, event, partner } = await aSale()
    await suspend(partner)
    assertRefused(await summary(client, event.id), 'PARTNER_DISABLED')
  })

  test('an unknown event is not found', async () => {
    const { client } = await aPartner()
    assertRefused(await summary(client, 'evt_00000000000000000000000000'), 'EVENT_NOT_FOUND')
  })

  for (const sector of ['sector-z', 'a', '', 'Сектор a', 'sector-a\0', 'x'.repeat(1000)]) {
    test(`unknown sector ${JSON.stringify(sector.slice(0, 12))} is invalid`, async ({ assert }) => {
      const { client, event } = await aSale()
      const answer = await summary(client, event.id, `?sector=${encodeURIComponent(sector)}`)
      assertInvalid(answer, 'sector')
      assert.equal(answer.error.details.sector, sector)
    })
  }

  for (const category of ['balcony', '', 'VIP', 'vip,fan']) {
    test(`unknown category "${category}" is invalid`, async ({ assert }) => {
      const { client, event } = await aSale()
      const answer = await summary(client, event.id, `?category=${category}`)
      assertInvalid(answer, 'category')
      assert.equal(answer.error.details.category, category)
    })
  }

  test('a repeated parameter is invalid', async () => {
    const { client, event } = await aSale()
    assertInvalid(await summary(client, event.id, '?sector=sector-a&sector=sector-b'), 'sector')
  })

  test('an unknown category is reported before the event is looked up', async () => {
    const { client } = await aPartner()
    assertCode(await summary(client, 'evt_x', '?category=x'), 'INVALID_PARAMETERS')
  })

  test('a renamed category is visible at once', async ({ assert }) => {
    const { client, event } = await aSale()
    await seatsOf(client, event.id)
    await db
      .connection('owner')
      .from('event_prices')
      .where({ event_id: event.id })
      .update({ category_name: { ru: 'Ложа' } })
    const seats = Object.values(await seatsOf(client, event.id))
    assert.isTrue(seats.every((seat) => seat.category_name.ru === 'Ложа'))
  })

  for (const [column, value] of [
    ['label', '99'],
    ['space_id', 'seat-elsewhere'],
    ['position', 999_999],
    ['category_code', 'vip'],
  ] as const) {
    test(`the ${column} of a seat on sale never changes`, async ({ assert }) => {
      const { event } = await aSale()
      const change = db
        .connection('owner')
        .from('event_seats')
        .where({ event_id: event.id })
        .update({ [column]: value })
      await assert.rejects(() => change, /UPDATE of event_seats is not allowed/)
    })
  }
})
