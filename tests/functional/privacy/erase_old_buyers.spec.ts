import platform from '#config/platform'
import eraseOldBuyers from '#privacy/jobs/erase_old_buyers'
import { aBuyer, bought, customerOf, pseudonymOf } from '#tests/support/buyers'
import { lapseBooking } from '#tests/support/circumstances'
import { dataOf } from '#tests/support/answers'
import { bookingBody } from '#tests/support/operations'
import { aSale, sell } from '#tests/support/fixtures'
import { registerPath } from '#reconciliation/store/register_file'
import { confirmedRegister, matchedRegister, midnight } from '#tests/support/registers'
import { one, ownerOne, ownerRows, rows } from '#tests/support/rows'
import expireOverdue from '#sales/expire_overdue/expire_overdue'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { access } from 'node:fs/promises'

const KEPT_DAYS = platform.buyerRetentionDays

const endEvent = (id: string, daysAgo: number) =>
  ownerRows(
    `UPDATE events SET starts_at = now() - make_interval(days => ?, hours => 3), ends_at = now() - make_interval(days => ?)
      WHERE id = ?`,
    daysAgo,
    daysAgo,
    id
  )
const entriesOf = async (eventId: string) => {
  const found = await rows(
    `SELECT change FROM journal WHERE event_id = ? AND name = 'event_buyers_erased'`,
    eventId
  )
  return found.map(({ change }) => change as object)
}
const isDone = async (eventId: string) => {
  const found = await rows('SELECT 1 FROM erased_events WHERE event_id = ?', eventId)
  return found.length === 1
}

/** An event with a sold order and a booking that became none, long over. */
async function anOldEvent() {
  const sale = await aSale()
  const buyer = aBuyer()
  const sold = await bought(buyer, { sale })
  const body = bookingBody(sale.event.id, { seats: ['seat-2-2'], customer: buyer })
  const { booking_id: expired } = dataOf(await sale.client.post('/bookings', body))
  await lapseBooking(expired)
  await ownerRows('UPDATE bookings SET expires_at = now() WHERE id = ?', expired)
  await expireOverdue()
  await endEvent(sale.event.id, KEPT_DAYS + 1)
  return { ...sold, expired: expired as string }
}

test.group('Buyers of past events', () => {
  test('a day after the retention all are erased, with one entry and no personal data in it', async ({
    assert,
  }) => {
    const { event, orderId, bookingId, expired } = await anOldEvent()
    await eraseOldBuyers()
    assert.containsSubset(await customerOf('orders', orderId), { email: pseudonymOf(orderId) })
    for (const id of [bookingId, expired])
      assert.containsSubset(await customerOf('bookings', id), { email: pseudonymOf(id) })
    assert.deepEqual(await entriesOf(event.id), [
      { retention_days: KEPT_DAYS, orders: 1, bookings: 2 },
    ])
  })

  test('a day before the end of the retention nobody is erased', async ({ assert }) => {
    const { event, orderId, buyer } = await anOldEvent()
    await endEvent(event.id, KEPT_DAYS - 1)
    await eraseOldBuyers()
    assert.deepEqual(await customerOf('orders', orderId), buyer)
    assert.isFalse(await isDone(event.id))
  })

  test('two workers at once erase each buyer once, and a repeat changes nothing', async ({
    assert,
  }) => {
    const { event, orderId } = await anOldEvent()
    await Promise.all([eraseOldBuyers(), eraseOldBuyers()])
    assert.isTrue(await isDone(event.id))
    const { buyer_erased_at: at } = await one(
      'SELECT buyer_erased_at FROM orders WHERE id = ?',
      orderId
    )
    await eraseOldBuyers()
    assert.lengthOf(await entriesOf(event.id), 1)
    const after = await one('SELECT buyer_erased_at AS at FROM orders WHERE id = ?', orderId)
    assert.deepEqual(after.at, at)
  })

  test('a run that is stopped has not ended the event; the next one goes on where it stopped', async ({
    assert,
  }) => {
    const { event, orderId, buyer } = await anOldEvent()
    const holding = await db.transaction()
    await holding.rawQuery('SELECT 1 FROM orders WHERE id = ? FOR UPDATE', [orderId])
    const stopping = new AbortController()
    const stopped = eraseOldBuyers(stopping.signal).catch((error: unknown) => error)
    await untilWaiting()
    stopping.abort(new Error('stopped'))
    assert.instanceOf(await stopped, Error)
    await holding.rollback()
    assert.deepEqual(await customerOf('orders', orderId), buyer)
    assert.isFalse(await isDone(event.id))
    await eraseOldBuyers()
    assert.isTrue(await isDone(event.id))
    assert.notDeepEqual(await customerOf('orders', orderId), buyer)
  })

  test('a run ends after its time, and the next ones do the rest', async ({ assert }) => {
    const events = [await anOldEvent(), await anOldEvent()]
    const open = async () => {
      const done = await Promise.all(events.map(({ event }) => isDone(event.id)))
      return done.filter((isOver) => !isOver).length
    }
    await eraseOldBuyers(undefined, 0)
    assert.equal(await open(), 2)
    for (let runs = 0; runs < 20 && (await open()) > 0; runs++) await eraseOldBuyers(undefined, 0)
    assert.equal(await open(), 0)
  })

  test('a pending order is not erased, and its event is not done', async ({ assert }) => {
    const { event, orderId, bookingId, buyer } = await anOldEvent()
    await ownerRows('UPDATE bookings SET customer = NULL WHERE id = ?', bookingId)
    await ownerRows(
      `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
       UPDATE orders SET stored_status = 'pending', confirmed_at = NULL FROM free WHERE id = ?`,
      orderId
    )
    await eraseOldBuyers()
    assert.deepEqual(await customerOf('orders', orderId), buyer)
    assert.isFalse(await isDone(event.id))
    assert.deepEqual(await entriesOf(event.id), [])
  })

  test('rows of an old register lose their e-mails and the preview its cells; its figures stay', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const { order_id: orderId } = await sell(client, event.id, ['seat-2-1'])
    const { email } = aBuyer()
    const registerId = await confirmedRegister(
      partner,
      [
        'Номер заказа;Сумма;Дата оплаты;E-mail',
        `${orderId};12000;2026-11-24 10:00;${email}`,
        `Итого;12000;;${email}`,
      ].join('\r\n')
    )
    const figures = () =>
      one(
        `SELECT to_jsonb(r) - 'preview' - 'buyers_erased_at' #- '{control,skippedTexts}' AS register,
                (SELECT jsonb_agg(to_jsonb(w) - 'email' - 'raw') FROM partner_register_rows w WHERE register_id = r.id) AS rows,
                (SELECT jsonb_agg(to_jsonb(c)) FROM partner_register_cases c WHERE register_id = r.id) AS matches
           FROM partner_registers r WHERE id = ?`,
        registerId
      )
    await ownerRows(
      'UPDATE partner_registers SET period_from = ?, period_to = ? WHERE id = ?',
      midnight(-KEPT_DAYS - 3),
      midnight(-KEPT_DAYS - 2),
      registerId
    )
    const before = await figures()
    await eraseOldBuyers()
    assert.deepEqual(await figures(), before)
    const row = await one(
      'SELECT email FROM partner_register_rows WHERE register_id = ?',
      registerId
    )
    assert.isNull(row.email)
    const register = await one('SELECT * FROM partner_registers WHERE id = ?', registerId)
    assert.notInclude(JSON.stringify(register), email)
    const entries = await rows(
      `SELECT change FROM journal WHERE name = 'register_buyers_erased' AND partner_id = ?`,
      partner.id
    )
    assert.deepEqual(
      entries.map(({ change }) => change),
      [{ register_id: registerId, retention_days: KEPT_DAYS, rows: 1 }]
    )
  })

  test('an old register that nobody confirmed is taken back, with its rows and its file', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const { order_id: orderId } = await sell(client, event.id, ['seat-2-1'])
    const id = await matchedRegister(
      partner,
      ['Номер заказа;Сумма;Дата оплаты;E-mail', `${orderId};12000;2026-11-24 10:00;a@b.kz`].join(
        '\r\n'
      )
    )
    const { sha256 } = await one('SELECT sha256 FROM partner_registers WHERE id = ?', id)
    const path = await registerPath({ id, sha256 })
    await access(path)
    await eraseOldBuyers()
    await access(path)
    await ownerRows(
      'UPDATE partner_registers SET period_from = ?, period_to = ? WHERE id = ?',
      midnight(-KEPT_DAYS - 3),
      midnight(-KEPT_DAYS - 2),
      id
    )
    await Promise.all([eraseOldBuyers(), eraseOldBuyers()])
    const { state, preview } = await one(
      'SELECT state, preview FROM partner_registers WHERE id = ?',
      id
    )
    assert.equal(state, 'dropped')
    assert.deepEqual(preview.rows, [])
    await assert.rejects(() => access(path))
    assert.deepEqual(
      await rows('SELECT 1 FROM partner_register_rows WHERE register_id = ?', id),
      []
    )
  })

  test('whom staff searched for before an export is forgotten after the retention', async ({
    assert,
  }) => {
    const add = async (q: string, days: number) => {
      const { id } = await ownerOne(
        `INSERT INTO journal (name, actor_kind, actor, at, change)
         VALUES ('list_exported', 'staff', 'a@b.kz', now() - make_interval(days => ?), ?::jsonb) RETURNING id::text`,
        days,
        JSON.stringify({ list: 'orders', filters: { q, status: 'paid' } })
      )
      return id as string
    }
    const [old, recent] = [await add('aida@', KEPT_DAYS + 1), await add('aida@', KEPT_DAYS - 1)]
    await eraseOldBuyers()
    const filtersOf = async (id: string) => {
      const { change } = await one('SELECT change FROM journal WHERE id = ?', id)
      return change.filters as object
    }
    assert.deepEqual(await filtersOf(old), { q: '[erased]', status: 'paid' })
    assert.deepEqual(await filtersOf(recent), { q: 'aida@', status: 'paid' })
  })
})

async function untilWaiting() {
  for (;;) {
    const { n } = await one(
      `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) OR NOT granted AND locktype = 'transactionid'`
    )
    if (n > 0) return
  }
}
