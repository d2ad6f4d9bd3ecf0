import { listOrders, buildOrdersQuery } from '#back_office/orders/list_orders'
import { findAnything } from '#back_office/find/find_anything'
import { findOrderIds } from '#back_office/orders/search_orders'
import { ORDER_FILTERS, type OrderFilters } from '#back_office/orders/orders_props'
import { aSale, anEvent, grant, sell } from '#tests/support/fixtures'
import { transaction } from '#shared/transaction'
import { fillMonth } from '#tests/support/filled_month'
import { ownerRows, rows } from '#tests/support/rows'
import env from '#start/env'
import { test } from '@japa/runner'
import pg from 'pg'

const none = Object.fromEntries(ORDER_FILTERS.map((name) => [name, null])) as OrderFilters
const ask = (filters: Partial<OrderFilters>, size?: number) =>
  listOrders({ ...none, ...filters }, size)
const idsOf = ({ rows: lines }: { rows: { id: string }[] }) => lines.map(({ id }) => id)

/** As the database would go about it if sorting were dear: with a million orders it is. */
async function planOf(filters: Partial<OrderFilters>) {
  const { query } = await buildOrdersQuery({ ...none, ...filters })
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
