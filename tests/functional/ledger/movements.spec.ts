import { findBreaches } from '#ledger/queries/find_breaches'
import { cancelEvent } from '#tests/support/circumstances'
import { aSale, book, order, paymentOf, sell, TESTER } from '#tests/support/fixtures'
import { dataOf } from '#tests/support/answers'
import { refund } from '#tests/support/operations'
import { ownerRows } from '#tests/support/rows'
import { movementsOf, setTerms } from '#tests/support/settlement'
import VoidTickets from '#sales/void_tickets/void_tickets'
import { test } from '@japa/runner'

const DAY_MS = 86_400_000
const lately = () => ({ from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) })

test.group('Movements', () => {
  test('a sale moves its total, commission and VAT, each rounded by ticket', async ({ assert }) => {
    const { client, event, partner } = await aSale({
      event: { prices: { standard: 12_345n, vip: 45_007n } },
    })
    await setTerms(partner)
    const sold = await sell(client, event.id, ['seat-1-1', 'seat-2-1', 'seat-2-2'])
    // 45007 × 7.5 % = 3375.525, 12345 × 7.5 % = 925.875; VAT of 3376 and 926 at 16 % = 540.16 and 148.16.
    assert.deepEqual(await movementsOf(partner), [
      { kind: 'sale', tenge: '69697', tickets: 3, source: sold.order_id },
      { kind: 'commission', tenge: '-5228', tickets: 0, source: sold.order_id },
      { kind: 'vat', tenge: '-836', tickets: 0, source: sold.order_id },
    ])
  })

  test('refunds by ticket take back all of a sale', async ({ assert }) => {
    const { client, event, partner } = await aSale({ event: { prices: { standard: 9_999n } } })
    await setTerms(partner)
    const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
    for (const { ticket_id: id } of sold.tickets) await refund(client, sold.order_id, [id])
    const moved = await movementsOf(partner)
    assert.equal(
      moved.reduce((sum, { tenge }) => sum + BigInt(tenge), 0n),
      0n
    )
    assert.deepEqual(
      moved.map(({ kind }) => kind),
      [
        'sale',
        'commission',
        'vat',
        'refund',
        'commission_reversal',
        'vat_reversal',
        'refund',
        'commission_reversal',
        'vat_reversal',
      ]
    )
  })

  test('a cancelled event and a void by the platform are kinds of their own', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const first = await sell(client, event.id, ['seat-2-1'])
    await sell(client, event.id, ['seat-2-2'])
    await new VoidTickets().handle({
      partnerId: partner.id,
      orderId: first.order_id,
      ticketIds: [first.tickets[0].ticket_id],
      cause: 'platform',
      reason: 'Ошибка рассадки',
      returnsSeats: false,
      actor: TESTER,
    })
    await cancelEvent(event)
    const moved = await movementsOf(partner)
    assert.deepEqual(
      moved.map(({ kind, tenge }) => [kind, tenge]),
      [
        ['sale', '12000'],
        ['sale', '12000'],
        ['platform_void', '-12000'],
        ['event_cancel', '-12000'],
      ]
    )
  })

  test('an unpaid order moves nothing, and a repeated confirm moves nothing more', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const booking = dataOf(await book(client, event.id, ['seat-2-1']))
    const placed = dataOf(await order(client, booking.booking_id))
    const wrong = await client.post(`/orders/${placed.order_id}/confirm`, paymentOf(1))
    assert.equal(wrong.status, 422)
    assert.deepEqual(await movementsOf(partner), [])
    const twins = [1, 2, 3].map(() =>
      client.post(`/orders/${placed.order_id}/confirm`, paymentOf(placed.total_tenge))
    )
    await Promise.all(twins)
    const moved = await movementsOf(partner)
    assert.lengthOf(moved, 1)
  })

  test('the first terms apply to sales made before them', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
    await refund(client, sold.order_id, [sold.tickets[0].ticket_id])
    await setTerms(partner)
    const moved = await movementsOf(partner)
    assert.sameDeepMembers(
      moved.map(({ kind, tenge }) => [kind, tenge]),
      [
        ['sale', '24000'],
        ['refund', '-12000'],

        ['commission', '-1800'],
        ['vat', '-288'],

        ['commission_reversal', '900'],
        ['vat_reversal', '144'],
      ]
    )
    await assert.rejects(() => setTerms(partner), /already exists/)
  })

  test('movements cannot be changed, deleted or doubled', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    const sold = await sell(client, event.id, ['seat-2-1'])
    const of = `WHERE source = '${sold.order_id}'`
    for (const sql of [
      `UPDATE ledger_movements SET amount_tenge = 1 ${of}`,
      `UPDATE ledger_movements SET effective_at = now() ${of}`,
      `DELETE FROM ledger_movements ${of}`,
      'TRUNCATE ledger_movements',
    ])
      await assert.rejects(() => ownerRows(sql), /is not allowed/)
    await assert.rejects(
      () =>
        ownerRows(
          `INSERT INTO ledger_movements (partner_id, kind, amount_tenge, source, effective_at)
           VALUES (?, 'sale', 1, ?, now())`,
          partner.id,
          sold.order_id
        ),
      /duplicate key/
    )
  })

  test('each kind of disagreement between ledger and orders is found', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    await setTerms(partner)
    const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
    await refund(client, sold.order_id, [sold.tickets[0].ticket_id])
    const look = async () => {
      const found = await findBreaches({ partnerId: partner.id, ...lately() })
      return found.map(({ code }) => code)
    }
    assert.deepEqual(await look(), [])

    const spoil = (sql: string) =>
      ownerRows(
        `WITH free AS (SELECT set_config('session_replication_role', 'replica', true)) ${sql}`
      )
    const orderId = sold.order_id as string
    const ticketId = sold.tickets[0].ticket_id as string
    const total = (tenge: number) =>
      spoil(
        `UPDATE orders SET total_tenge = ${tenge}, payment_amount_tenge = ${tenge} FROM free WHERE id = '${orderId}'`
      )
    await total(23_999)
    assert.deepEqual(await look(), ['TOTAL_NE_TICKETS'])
    await total(24_000)
    await spoil(
      `UPDATE ledger_movements SET amount_tenge = -1 FROM free WHERE source = '${orderId}' AND kind = 'vat'`
    )
    assert.deepEqual(await look(), ['CHARGE_WRONG'])
    await spoil(
      `UPDATE ledger_movements SET amount_tenge = -11999 FROM free WHERE source = '${ticketId}' AND kind = 'refund'`
    )
    assert.deepEqual(await look(), ['CHARGE_WRONG', 'MOVEMENT_WRONG'])
    await spoil(
      `UPDATE ledger_movements SET source = 'nothing' FROM free WHERE source = '${ticketId}' AND kind = 'refund'`
    )
    assert.deepEqual(await look(), ['CHARGE_WRONG', 'MOVEMENT_MISSING', 'MOVEMENT_WITHOUT_CAUSE'])
  })
})
