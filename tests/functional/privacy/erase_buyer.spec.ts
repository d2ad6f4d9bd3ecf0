import CancelEvent from '#sales/cancel_event/cancel_event'
import AddCaseNote from '#case_work/add_case_note'
import ChangeCase from '#case_work/change_case'
import expireOverdue from '#sales/expire_overdue/expire_overdue'
import { findRegister } from '#reconciliation/store/find_register'
import { findBuyer } from '#privacy/find_buyer'
import { findOrderIds } from '#back_office/orders/search_orders'
import { findCaseIds } from '#staff_area/find_case_ids'
import ReplayDeliveries from '#webhooks/actions/replay_deliveries'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import deliverWebhooks from '#webhooks/deliver_webhooks/deliver_webhooks'
import relayNews from '#webhooks/relay_news/relay_news'
import type { Refusal } from '#shared/refusals'
import { dataOf } from '#tests/support/answers'
import {
  aBuyer,
  bought,
  byEmail,
  byOrder,
  byPhone,
  customerOf,
  erase,
  pseudonymOf,
} from '#tests/support/buyers'
import { lateCase } from '#tests/support/cases'
import { lapseBooking, lapseOrder } from '#tests/support/circumstances'
import { aSale, book, order, paymentOf, TESTER } from '#tests/support/fixtures'
import { bookingBody, confirm, findOrder, refund } from '#tests/support/operations'
import { aReceiver } from '#tests/support/receiver'
import { decideMatches, matchedRegister, upload } from '#tests/support/registers'
import { journalOf, one, ownerOne, ownerRows, rows } from '#tests/support/rows'
import { test } from '@japa/runner'

/** Tables with a row that has one of the words, apart from those where a document of its own keeps it. */
async function tablesWith(words: string[]) {
  const tables = await rows(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`
  )
  const found: string[] = []
  for (const { name } of tables)
    for (const word of words) {
      const { n } = await ownerOne(
        `SELECT count(*)::int AS n FROM ${name} t WHERE strpos(lower(t::text), lower(?)) > 0`,
        word
      )
      if (n > 0) found.push(`${name}: ${word}`)
    }
  return found
}

test.group('Erasing a buyer: what is replaced', (group) => {
  const open: { close: () => void }[] = []
  group.each.teardown(() => {
    for (const receiver of open.splice(0)) receiver.close()
  })

  test('order and booking keep their shape, with a pseudonym of their own', async ({ assert }) => {
    const { orderId, bookingId } = await bought()
    const { orders, bookings } = await erase(byOrder(orderId))
    assert.deepEqual([orders, bookings], [1, 1])
    assert.deepEqual(await customerOf('orders', orderId), {
      name: 'erased',
      email: pseudonymOf(orderId),
      phone: 'erased',
    })
    assert.deepEqual(await customerOf('bookings', bookingId), {
      name: 'erased',
      email: pseudonymOf(bookingId),
      phone: 'erased',
    })
  })

  test('nothing in the database names the buyer any more, wherever staff or partners have written it', async ({
    assert,
  }) => {
    const buyer = aBuyer()
    const receiver = await aReceiver((response, { json }) =>
      response.end(json.booking_id ? `thanks, ${buyer.email}` : 'ok')
    )
    open.push(receiver)
    const sale = await aSale()
    const endpoint = await new SetEndpoint().handle({
      partnerCode: sale.partner.code,
      url: receiver.url,
      actor: TESTER,
    })
    const gone = bookingBody(sale.event.id, { seats: ['seat-2-2'], customer: buyer })
    const { booking_id: expired } = dataOf(await sale.client.post('/bookings', gone))
    await lapseBooking(expired)
    await expireOverdue()
    await relayNews()
    await deliverWebhooks({ id: endpoint.id })
    const { orderId, client, partner } = await bought(buyer, { sale })
    await confirm(client, orderId, paymentOf(1, { method: buyer.name, currency: 'KZT' }))
    const beginningsOfName = buyer.name
      .split(' ')
      .toReversed()
      .map((word) => word.slice(0, 4))
      .join('-')
    const ofAnother = `${buyer.name.split(' ')[0]} Another`
    for (const q of [buyer.email.slice(0, 12), beginningsOfName, ofAnother])
      await ownerRows(
        `INSERT INTO journal (name, actor_kind, actor, change) VALUES ('list_exported', 'staff', 'a@b.kz', ?::jsonb)`,
        JSON.stringify({ list: 'orders', filters: { q } })
      )
    await ownerRows(
      `INSERT INTO journal (name, actor_kind, actor, change, order_id) VALUES ('order_cancelled', 'staff', 'a@b.kz', ?::jsonb, ?)`,
      JSON.stringify({
        reason: `${buyer.name}, 8${buyer.phone.replace(/\D/g, '').slice(1)}, звонила`,
      }),
      orderId
    )
    const named = await matchedRegister(
      partner,
      [
        'Номер заказа;Сумма;Дата оплаты;E-mail',
        `${orderId};12000;2026-11-24 10:00;${buyer.email}`,
        `неизвестный;500;2026-11-24 10:00;${buyer.email.toUpperCase()}`,
      ].join('\r\n')
    )
    const words = [buyer.email, buyer.name]
    assert.includeMembers(await tablesWith(words), [
      `orders: ${buyer.email}`,
      `bookings: ${buyer.email}`,
      `webhook_attempts: ${buyer.email}`,
      `partner_register_rows: ${buyer.email}`,
      `partner_registers: ${buyer.email}`,
      `journal: ${buyer.name}`,
      `confirm_attempts: ${buyer.name}`,
    ])

    await erase(byEmail(buyer.email.toLowerCase()))

    assert.deepEqual(await tablesWith(words), [])
    const searches = await rows(
      `SELECT change #>> '{filters,q}' AS q FROM journal WHERE name = 'list_exported' ORDER BY id DESC LIMIT 3`
    )
    assert.sameMembers(
      searches.map(({ q }) => q),
      ['[erased]', '[erased]', ofAnother]
    )
    const { reason } = await one(
      `SELECT change ->> 'reason' AS reason FROM journal WHERE order_id = ? AND name = 'order_cancelled'`,
      orderId
    )
    assert.equal(reason, '[erased], [erased], звонила')
    const lines = await rows(
      'SELECT line, email FROM partner_register_rows WHERE register_id = ? ORDER BY line',
      named
    )
    assert.deepEqual(lines, [
      { line: 2, email: null },
      { line: 3, email: null },
    ])
  })

  test('words about another buyer stay', async ({ assert }) => {
    const sale = await aSale()
    const erased = await bought(aBuyer(), { sale })
    const other = await bought(aBuyer(), { sale, seat: 'seat-2-2' })
    await erase(byEmail(erased.buyer.email))
    assert.deepEqual(await customerOf('orders', other.orderId), other.buyer)
    assert.deepEqual(await customerOf('bookings', other.bookingId), other.buyer)
    const { method } = await one(
      'SELECT method FROM confirm_attempts WHERE order_id_sent = ?',
      other.orderId
    )
    assert.equal(method, `card of ${other.buyer.phone}`)
  })

  test('notes of a case lose the buyer, and nothing else', async ({ assert }) => {
    const { caseId, orderId } = await aNotedCase()
    await erase(byOrder(orderId))
    const [{ text }] = await rows(
      'SELECT text FROM settlement_case_notes WHERE case_id = ? ORDER BY id',
      caseId
    )
    assert.equal(text, 'Пишет [erased]: деньги не вернулись')
    const { resolution } = await one('SELECT resolution FROM settlement_cases WHERE id = ?', caseId)
    assert.equal(resolution, text)
    const { reason } = await one(
      `SELECT change ->> 'reason' AS reason FROM journal WHERE name = 'case_changed' AND change ->> 'case_id' = ?`,
      String(caseId)
    )
    assert.equal(reason, text)
  })

  test('notes of a match lose the buyer, and the row of the order loses whatever e-mail it has', async ({
    assert,
  }) => {
    const { buyer, orderId, partner } = await bought()
    const line = `${orderId};12000;2026-11-24 10:00;another@mail.kz`
    const file = ['Номер заказа;Сумма;Дата оплаты;E-mail', line].join('\r\n')
    const registerId = await matchedRegister(partner, file)
    await decideMatches(registerId, { note: `Звонила ${buyer.name}` })
    await erase(byOrder(orderId))
    const { note } = await one(
      'SELECT note FROM partner_register_cases WHERE register_id = ?',
      registerId
    )
    assert.equal(note, 'Звонила [erased]')
    const { email } = await one(
      'SELECT email FROM partner_register_rows WHERE register_id = ?',
      registerId
    )
    assert.isNull(email)
  })

  test('whatever people have typed about the buyer loses the name', async ({ assert }) => {
    const { buyer, orderId, partner } = await bought()
    await ownerRows(
      `INSERT INTO journal (name, actor_kind, actor, change, partner_id, order_id) VALUES ('case_answered', 'staff', 'a@b.kz', ?::jsonb, ?, ?)`,
      JSON.stringify({ reason: buyer.name, note: buyer.name, comment: buyer.name }),
      partner.id,
      orderId
    )
    await erase(byOrder(orderId))
    const { change } = await one(
      `SELECT change FROM journal WHERE order_id = ? AND name = 'case_answered'`,
      orderId
    )
    assert.deepEqual(change, { reason: '[erased]', note: '[erased]', comment: '[erased]' })
  })

  test('words that name the buyer in other letters lose the name, too', async ({ assert }) => {
    const { buyer, orderId, partner } = await bought()
    const words = `${buyer.email.toUpperCase()}, ${buyer.name.toLowerCase()}`
    await ownerRows(
      `INSERT INTO journal (name, actor_kind, actor, change, partner_id, order_id) VALUES ('order_cancelled', 'staff', 'a@b.kz', ?::jsonb, ?, ?)`,
      JSON.stringify({ reason: words }),
      partner.id,
      orderId
    )
    await erase(byOrder(orderId))
    const { reason } = await one(
      `SELECT change ->> 'reason' AS reason FROM journal WHERE order_id = ? AND name = 'order_cancelled'`,
      orderId
    )
    assert.equal(reason, '[erased], [erased]')
  })

  test('an order that is still being paid for is left alone, and named', async ({ assert }) => {
    const buyer = aBuyer()
    const { client, event } = await aSale()
    const { booking_id: bookingId } = dataOf(await book(client, event.id, ['seat-2-1']))
    const { order_id: orderId } = dataOf(await order(client, bookingId, { customer: buyer }))
    const { orders, stillBuying } = await erase(byEmail(buyer.email))
    assert.deepEqual([orders, stillBuying], [0, 1])
    assert.deepEqual(await customerOf('orders', orderId), buyer)
    await lapseOrder(orderId)
    await ownerRows(
      `UPDATE orders SET window_ends_at = now() - interval '1 minute' WHERE id = ?`,
      orderId
    )
    await expireOverdue()
    const afterwards = await erase(byEmail(buyer.email))
    assert.equal(afterwards.orders, 1)
  })

  test('a repeat erases nothing more and adds no entry', async ({ assert }) => {
    const { orderId } = await bought()
    await erase(byOrder(orderId))
    const before = await journalOf('order_id', orderId)
    const repeat = await erase(byOrder(orderId))
    assert.equal(repeat.orders, 0)
    assert.deepEqual(await journalOf('order_id', orderId), before)
    assert.lengthOf(
      before.filter((name) => name === 'buyer_erased'),
      1
    )
  })

  test('of two that erase the same buyer at once each order is erased by one', async ({
    assert,
  }) => {
    const sale = await aSale()
    const buyer = aBuyer()
    const seats = ['seat-2-1', 'seat-2-2', 'seat-2-3', 'seat-2-4']
    for (const seat of seats) await bought(buyer, { sale, seat })
    const both = await Promise.all([erase(byEmail(buyer.email)), erase(byEmail(buyer.email))])
    assert.equal(both[0].orders + both[1].orders, seats.length)
    const { n } = await one(
      `SELECT count(*)::int AS n FROM journal WHERE name = 'buyer_erased' AND partner_id = ?`,
      sale.partner.id
    )
    assert.equal(n, seats.length)
  })

  test('the entry of an erasure has the reason without the buyer', async ({ assert }) => {
    const { orderId, buyer } = await bought()
    await erase(byOrder(orderId), { reason: `Просит ${buyer.email} сама` })
    const { change } = await one(
      `SELECT change FROM journal WHERE order_id = ? AND name = 'buyer_erased'`,
      orderId
    )
    assert.deepEqual(change, { found_by: 'order', reason: 'Просит [erased] сама' })
  })

  test('an e-mail with more orders than allowed is refused, and nothing is erased', async ({
    assert,
  }) => {
    const sale = await aSale()
    const buyer = aBuyer()
    const { orderId } = await bought(buyer, { sale })
    await bought(buyer, { sale, seat: 'seat-2-2' })
    const refusal = await erase(byEmail(buyer.email), { most: 1 }).catch((error: unknown) => error)
    assert.equal((refusal as Refusal).refusalCode, 'TOO_MANY_ORDERS')
    assert.deepEqual(await customerOf('orders', orderId), buyer)
  })
})

/** A case with a note and an outcome that name the buyer. */
async function aNotedCase() {
  const { caseId, orderId } = await lateCase()
  await ownerRows(
    `UPDATE orders SET window_ends_at = now() - interval '1 minute' WHERE id = ?`,
    orderId
  )
  await expireOverdue()
  const text = 'Пишет buyer@example.kz: деньги не вернулись'
  await new AddCaseNote().handle({ caseId, text, actor: TESTER })
  const change = { state: 'dismissed', reason: text } as const
  await new ChangeCase().handle({ caseId, version: 1, change, actor: TESTER })
  return { caseId, orderId }
}

test.group('Erasing a buyer: afterwards', (group) => {
  const open: { close: () => void }[] = []
  group.each.teardown(() => {
    for (const receiver of open.splice(0)) receiver.close()
  })

  test('a repeat of the old requests is answered from the stored rows, with the pseudonym', async ({
    assert,
  }) => {
    const { client, booking, body, orderId, bookingId, payment, paid } = await bought()
    await erase(byOrder(orderId))
    const repeats = {
      booking: await client.post('/bookings', booking),
      order: await client.post('/orders', body),
      confirm: await confirm(client, orderId, payment),
      find: await findOrder(client, body.partner_order_id),
    }
    for (const [name, { status }] of Object.entries(repeats)) assert.equal(status, 200, name)
    assert.equal(repeats.booking.data.customer.email, pseudonymOf(bookingId))
    const customer = { name: 'erased', email: pseudonymOf(orderId), phone: 'erased' }
    assert.deepEqual(repeats.confirm.data, { ...paid, customer })
    assert.deepEqual(repeats.find.data, { ...paid, customer })
    assert.deepEqual(repeats.order.data.customer, customer)
  })

  test('a repeat with other seats is still a conflict, and shows nothing of the buyer', async ({
    assert,
  }) => {
    const { client, booking, orderId } = await bought()
    await erase(byOrder(orderId))
    const { status, error } = await client.post('/bookings', { ...booking, seats: ['seat-2-9'] })
    assert.equal(status, 409)
    assert.equal(error?.details.field, 'seats')
  })

  test('a ticket of an erased order is still refunded', async ({ assert }) => {
    const { client, orderId, paid } = await bought()
    await erase(byOrder(orderId))
    const { status } = await refund(client, orderId, [paid.tickets[0].ticket_id])
    assert.equal(status, 200)
  })

  test('a search by e-mail, its beginning, phone or name finds nothing; by number the order', async ({
    assert,
  }) => {
    const { buyer, orderId } = await bought()
    const digits = `8${buyer.phone.replace(/\D/g, '').slice(1)}`
    const texts = [buyer.email, buyer.email.slice(0, 14), buyer.phone, digits, buyer.name]
    for (const text of texts) assert.deepEqual(await findOrderIds(text), [orderId], text)
    await erase(byOrder(orderId))
    for (const text of texts) {
      assert.deepEqual(await findOrderIds(text), [], text)
      assert.deepEqual(await findCaseIds(text), [], text)
    }
    for (const search of [byEmail(buyer.email), byPhone(buyer.phone)]) {
      const found = await findBuyer(search, 10)
      assert.deepEqual([found.orderIds, found.bookingIds], [[], []])
    }
    assert.deepEqual(await findOrderIds(orderId), [orderId])
  })

  test('a webhook of an erased order is sent again with the same body', async ({ assert }) => {
    const receiver = await aReceiver()
    open.push(receiver)
    const sale = await aSale()
    const endpoint = await new SetEndpoint().handle({
      partnerCode: sale.partner.code,
      url: receiver.url,
      actor: TESTER,
    })
    const buyer = aBuyer()
    const body = bookingBody(sale.event.id, { seats: ['seat-2-2'], customer: buyer })
    const { booking_id: bookingId } = dataOf(await sale.client.post('/bookings', body))
    await lapseBooking(bookingId)
    await expireOverdue()
    await relayNews()
    await deliverWebhooks({ id: endpoint.id })
    const erased = await erase(byEmail(buyer.email))
    assert.equal(erased.bookings, 1)

    const sent = await rows(
      `SELECT d.webhook_id FROM webhook_deliveries d JOIN journal j ON j.id = d.journal_id
        WHERE d.endpoint_id = ? AND j.booking_id = ?`,
      endpoint.id,
      bookingId
    )
    const replayed = await new ReplayDeliveries().handle({
      partnerCode: sale.partner.code,
      webhookIds: sent.map(({ webhook_id: id }) => id as string),
      since: null,
      actor: TESTER,
    })
    assert.equal(replayed, 1)
    await deliverWebhooks({ id: endpoint.id })
    const bodies = receiver.received
      .map((received) => received.body)
      .filter((text) => text.includes(bookingId))
    assert.lengthOf(bodies, 2)
    assert.equal(bodies[1], bodies[0])
  })

  test('an event with erased buyers is cancelled', async ({ assert }) => {
    const { event, orderId } = await bought()
    await erase(byOrder(orderId))
    await new CancelEvent().handle({ eventId: event.id, reason: 'Не будет', actor: TESTER })
    const { status } = await one('SELECT status FROM tickets WHERE order_id = ?', orderId)
    assert.equal(status, 'void')
  })

  test('a register keeps its columns when its preview loses a buyer', async ({ assert }) => {
    const { orderId, partner, buyer } = await bought()
    const { registerId } = await upload(
      partner,
      [
        'Номер заказа;Сумма;Дата оплаты;E-mail',
        `${orderId};12000;2026-11-24 10:00;${buyer.email}`,
      ].join('\r\n')
    )
    await erase(byOrder(orderId))
    const { preview } = await one('SELECT preview FROM partner_registers WHERE id = ?', registerId)
    assert.deepEqual(preview.rows, [])
    assert.include(preview.headers, 'E-mail')
  })

  test('what a register left out as a footer is erased with the buyer that it names', async ({
    assert,
  }) => {
    const { orderId, partner, buyer } = await bought()
    const lines = ['Номер заказа;Сумма;Дата оплаты;E-mail', `${orderId};12000;2026-11-24 10:00;`]
    const footer = `Итого;12000;;${buyer.email}`
    const registerId = await matchedRegister(partner, [...lines, footer].join('\r\n'))
    const skippedTexts = async () => {
      const { control } = await findRegister(registerId)
      return control!.skippedTexts
    }
    const text = `Итого | 12000 | ${buyer.email}`
    assert.deepEqual(await skippedTexts(), [{ line: 3, text }])
    await erase(byOrder(orderId))
    assert.isUndefined(await skippedTexts())
  })
})
