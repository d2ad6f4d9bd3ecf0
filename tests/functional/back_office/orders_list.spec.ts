import { countOrders } from '#back_office/orders/count_orders'
import {
  listOrders,
  buildOrdersQuery,
  readOrders,
  readOrdersTotal,
} from '#back_office/orders/list_orders'
import { findAnything } from '#back_office/find/find_anything'
import { MOST_FOUND, findOrderIds } from '#back_office/orders/search_orders'
import { ORDER_FILTERS, type OrderFilters } from '#back_office/orders/orders_props'
import { aSale, anEvent, grant, sell } from '#tests/support/fixtures'
import { transaction } from '#shared/transaction'
import { fillMonth } from '#tests/support/filled_month'
import { ownerRows, rows } from '#tests/support/rows'
import env from '#start/env'
import { sumNumbers } from '#shared/sums'
import { test } from '@japa/runner'
import pg from 'pg'

const none = Object.fromEntries(ORDER_FILTERS.map((name) => [name, null])) as OrderFilters
const ask = (filters: Partial<OrderFilters>, size?: number) =>
  listOrders({ ...none, ...filters }, size)
const idsOf = ({ rows: lines }: { rows: { id: string }[] }) => lines.map(({ id }) => id)

/** As the database would go about it if sorting were dear: with a million orders it is. */
async function planOf(filters: Partial<OrderFilters>) {
  const { query } = buildOrdersQuery({ ...none, ...filters })
  const { sql, bindings } = query.toSQL()
  return transaction(async (trx) => {
    await trx.rawQuery('SET LOCAL enable_seqscan = off')
    await trx.rawQuery('SET LOCAL enable_sort = off')
    const { rows: lines } = await trx.rawQuery(`EXPLAIN ${sql}`, bindings as never)
    return JSON.stringify(lines)
  })
}

async function aBusyPartner() {
  const { client, event, partner } = await aSale()
  const other = await anEvent()
  await grant(partner, other)
  const here = await sell(client, event.id, ['seat-1-1'])
  const there = await sell(client, other.id, ['seat-1-1'])
  const later = await sell(client, event.id, ['seat-1-2'])
  return { partner, event, here: here.order_id, there: there.order_id, later: later.order_id }
}

/** Past the triggers that guard orders. */
const change = (orderIds: string[], set: string) =>
  ownerRows(
    `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
     UPDATE orders SET ${set} FROM free WHERE id = ANY(?)`,
    orderIds
  )

/** All pages of a list, one after the other. */
async function allPages(filters: Partial<OrderFilters>, size: number) {
  const found: string[] = []
  let before: string | null = null
  do {
    const orders: Awaited<ReturnType<typeof readOrders>> = await readOrders(
      { ...none, ...filters, before },
      size
    )
    found.push(...idsOf(orders))
    before = orders.older
  } while (before)
  return found
}

/** Twelve orders; four each have the same total, and all were placed within one millisecond. */
async function ordersOfOneMoment() {
  const { client, event, partner } = await aSale()
  const ids: string[] = []
  for (const row of [1, 2])
    for (const seat of [1, 2, 3, 4, 5, 6]) {
      const sold = await sell(client, event.id, [`seat-${row}-${seat}`])
      ids.push(sold.order_id)
    }
  const ofEachThree = (position: number) => ids.filter((_, index) => index % 3 === position)
  for (const [position, tenge] of [12_000, 9_000, 30_000].entries())
    await change(
      ofEachThree(position),
      `total_tenge = ${tenge}, payment_amount_tenge = ${tenge}, created_at = timestamptz '2026-11-22 10:00:00.123Z'
         + (right(id, 2)::int % 50) * interval '1 microsecond'`
    )
  return { partner, event, ids, cheapest: ofEachThree(1), dearest: ofEachThree(2) }
}

/** More than are looked through for a frequent name. */
async function fillNewerOrders() {
  const database = new pg.Client({ connectionString: env.get('OWNER_DATABASE_URL') })
  await database.connect()
  try {
    const size = { partnerCode: 'newer-orders', prefix: 'NW', orders: 2_100, ticketsPerOrder: 1 }
    await fillMonth(database, size)
  } finally {
    await database.end()
  }
}

test.group('Orders list', () => {
  test('filters by event, by partner and by both list their orders, newest first', async ({
    assert,
  }) => {
    const { partner, event, here, there, later } = await aBusyPartner()
    const stranger = await aSale()
    await sell(stranger.client, stranger.event.id, ['seat-1-1'])
    assert.deepEqual(idsOf(await ask({ event: event.id })), [later, here])
    assert.deepEqual(idsOf(await ask({ partner: partner.code })), [later, there, here])
    const both = { partner: partner.code, event: event.id }
    assert.deepEqual(idsOf(await ask(both)), [later, here])
    assert.deepEqual(idsOf(await ask({ ...both, partner: stranger.partner.code })), [])
    assert.deepEqual(idsOf(await ask({ ...both, status: 'cancelled' })), [])
    assert.deepEqual(idsOf(await ask({ ...both, status: 'paid', q: here })), [here])
    assert.deepEqual(idsOf(await ask({ partner: 'nobody-has-this-code' })), [])
  })

  test('pages of an event and of a partner continue where the last one ended', async ({
    assert,
  }) => {
    const { partner, event, here, there, later } = await aBusyPartner()
    const first = await ask({ partner: partner.code }, 2)
    assert.deepEqual(idsOf(first), [later, there])
    assert.deepEqual(idsOf(await ask({ partner: partner.code, before: first.older }, 2)), [here])
    const ofEvent = await ask({ event: event.id }, 1)
    assert.deepEqual(idsOf(ofEvent), [later])
    assert.deepEqual(idsOf(await ask({ event: event.id, before: ofEvent.older }, 1)), [here])
  })

  test('orders of an event or a partner are read in their order, and not among all orders', async ({
    assert,
  }) => {
    const { partner, event } = await aBusyPartner()
    const ofEvent = await planOf({ event: event.id })
    assert.include(ofEvent, 'orders_of_event')
    const ofPartner = await planOf({ partner: partner.code })
    assert.include(ofPartner, 'orders_of_partner')
    for (const plan of [ofEvent, ofPartner]) {
      assert.notInclude(plan, 'orders_created_at')
      assert.notMatch(plan, /\bSort\b/)
    }
    assert.include(await planOf({}), 'orders_created_at')
  })

  test('the next page begins right after the last one, also within a millisecond', async ({
    assert,
  }) => {
    const { partner, ids } = await ordersOfOneMoment()
    const filters = { partner: partner.code }
    const newest = await allPages(filters, 5)
    assert.lengthOf(newest, ids.length)
    assert.sameMembers(newest, ids)
    assert.deepEqual(await allPages({ ...filters, sort: 'oldest' }, 5), newest.toReversed())
  })

  test('pages sorted by total have every order once, both ways', async ({ assert }) => {
    const { partner, ids, cheapest, dearest } = await ordersOfOneMoment()
    const filters = { partner: partner.code }
    const highest = await allPages({ ...filters, sort: 'highest' }, 5)
    assert.lengthOf(highest, ids.length)
    assert.sameMembers(highest, ids)
    assert.sameMembers(highest.slice(0, 4), dearest)
    assert.sameMembers(highest.slice(-4), cheapest)
    assert.deepEqual(await allPages({ ...filters, sort: 'lowest' }, 5), highest.toReversed())
  })

  test('the oldest are read in the order of an index, too', async ({ assert }) => {
    const { partner, here } = await aBusyPartner()
    const filters = { partner: partner.code, before: here, sort: 'oldest' }
    const plan = await planOf(filters)
    assert.include(plan, 'orders_of_partner')
    assert.notMatch(plan, /\bSort\b/)
    // The cursor is where the index begins, and no condition that is checked row by row.
    assert.match(plan, /Index Cond: [^"]*ROW\(o?\.?created_at/)
  })

  test('the figures above the list are those of its rows', async ({ assert }) => {
    const { partner, event, here } = await aBusyPartner()
    const stranger = await aSale()
    await sell(stranger.client, stranger.event.id, ['seat-1-1', 'seat-1-2'])
    const asked: Partial<OrderFilters>[] = [
      {},
      { event: event.id },
      { partner: partner.code },
      { partner: partner.code, event: event.id },
      { partner: partner.code, event: event.id, status: 'paid' },
      { partner: partner.code, status: 'refunded' },
      { status: 'paid' },
      { status: 'pending' },
      { q: here },
      { q: here, partner: stranger.partner.code },
      { q: 'buyer@example.kz', status: 'paid' },
      { q: 'nothing-like-this' },
      { partner: 'nobody-has-this-code' },
    ]
    for (const filters of asked) {
      const orders = await readOrders({ ...none, ...filters }, 1_000)
      const total = await readOrdersTotal({ ...none, ...filters })
      const totalTenge = sumNumbers(orders.rows, (order) => order.totalTenge)
      assert.deepEqual(total, { orders: orders.rows.length, totalTenge }, JSON.stringify(filters))
      assert.isNull(orders.older)
    }
  })

  test('more orders than are counted have no sum, and are not sorted by total', async ({
    assert,
  }) => {
    const { partner } = await ordersOfOneMoment()
    const filters = { ...none, partner: partner.code }
    const counted = (most: number, lookedAt: number, status: string | null = null) =>
      countOrders({ ...filters, status }, null, most, lookedAt)
    assert.deepEqual(await counted(12, 1), { orders: 12, totalTenge: 4 * 51_000 })
    assert.deepEqual(await counted(11, 1), { orders: 11, totalTenge: null })
    assert.deepEqual(await counted(12, 12, 'paid'), { orders: 12, totalTenge: 4 * 51_000 })
    assert.deepEqual(await counted(12, 11, 'refunded'), { orders: 0, totalTenge: null })

    const newest = await readOrders(filters, 5)
    assert.deepEqual(await readOrders({ ...filters, sort: 'highest' }, 5, 11), newest)
    const next = { ...filters, sort: 'highest', before: newest.older }
    const second = await readOrders(next, 5, 11)
    assert.deepEqual(second, await readOrders({ ...filters, before: newest.older }, 5))
    assert.notDeepEqual(second.rows, newest.rows)
  })

  test('what a search found is not summed up where it may have found more', async ({ assert }) => {
    const { ids } = await ordersOfOneMoment()
    const others = Array.from({ length: MOST_FOUND - ids.length }, (_, n) => `TIX-0-${n}`)
    assert.deepEqual(await countOrders(none, ids), { orders: 12, totalTenge: 4 * 51_000 })
    assert.deepEqual(await countOrders(none, [...ids, ...others]), { orders: 12, totalTenge: null })
  })

  test('of orders of one name the newest are found, and an old one of a rare name', async ({
    assert,
  }) => {
    const { here, there, later } = await aBusyPartner()
    const name = `Айгерим ${here.replaceAll('-', '')}`
    await change(
      [here, there, later],
      `customer = (customer::jsonb || jsonb_build_object('name', '${name}'))::buyer`
    )
    assert.sameMembers(await findOrderIds(name, 2), [there, later])
    assert.sameMembers(await findOrderIds(name), [here, there, later])
    const { orders } = await findAnything(name, 'admin')
    assert.lengthOf(orders, 3)

    await change([here, there, later], `created_at = '2000-01-01'`)
    await fillNewerOrders()
    assert.sameMembers(await findOrderIds(name), [here, there, later])
  })

  test('of a name of very many the newest are found, by what PostgreSQL expects of it', async ({
    assert,
  }) => {
    const newer = await rows(`SELECT id FROM orders WHERE id LIKE 'NW-%'`)
    // PostgreSQL believes its statistics of words only if there are a hundred different ones.
    const named = `jsonb_build_object('name', 'Vsekh Zovut ' || translate(right(id, 2), '0123456789', 'abcdefghij'))`
    await change(
      newer.map(({ id }) => id as string),
      `customer = (customer::jsonb || ${named})::buyer`
    )
    await ownerRows('ANALYZE orders')
    const [{ common, unknown }] = await rows(
      `SELECT expected_orders_of_name('''vsekh'':*') AS common, expected_orders_of_name('''nobodyatall'':*') AS unknown`
    )
    assert.isAbove(Number(common), 2_000)
    assert.isBelow(Number(unknown), Number(common) / 10)

    const newest = await rows(
      `SELECT id FROM orders WHERE id LIKE 'NW-%' ORDER BY created_at DESC, id DESC LIMIT 3`
    )
    for (const many of [1_000, 1_000_000])
      assert.sameMembers(
        await findOrderIds('Vsekh', 3, many),
        newest.map(({ id }) => id)
      )
  })
})
