import { BlockSeats } from '#inventory/actions/block_seats'
import { ReleaseFromStorefront, SellToStorefront } from '#inventory/actions/storefront'
import type { Refusal } from '#shared/refusals'
import { block, changeStatus, storefrontHolds } from '#tests/support/circumstances'
import { aSale, anEvent, book, sell, TESTER } from '#tests/support/fixtures'
import { rows, takenSeats } from '#tests/support/rows'
import { test } from '@japa/runner'

const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'no refusal',
    (error: unknown) => (error as Refusal).refusalCode
  )

test.group('Seats at the box office', () => {
  test('all asked seats are blocked or none, unless others are to be skipped', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    await sell(client, event.id, ['seat-1-2'])
    const seats = ['seat-1-1', 'seat-1-2']
    assert.equal(await codeOf(block(event, ...seats)), 'SEATS_NOT_AVAILABLE')
    assert.deepEqual(await takenSeats(event), ['seat-1-2 sold'])
  })

  test('a block with a seat that the hall lacks is refused, also where others are skipped', async ({
    assert,
  }) => {
    const event = await anEvent()
    const seats = ['seat-1-1', 'seat-99-1']
    for (const others of ['refuse', 'skip'] as const) {
      const act = { eventId: event.id, seats, others, reason: null, actor: TESTER }
      assert.equal(await codeOf(new BlockSeats().handle(act)), 'SEATS_UNKNOWN')
    }
    assert.deepEqual(await takenSeats(event), [])
  })

  test('the box office holds no seat without a price, nor any seat while sales are paused', async ({
    assert,
  }) => {
    const event = await anEvent()
    assert.equal(await codeOf(storefrontHolds(event, 'seat-6-1')), 'SEATS_NOT_AVAILABLE')
    await changeStatus(event, 'pause')
    assert.equal(await codeOf(storefrontHolds(event, 'seat-1-1')), 'SALES_PAUSED')
  })

  test('the box office holds no seat that somebody else holds or has bought', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    await sell(client, event.id, ['seat-1-1'])
    await book(client, event.id, ['seat-1-2'])
    await storefrontHolds(event, 'seat-1-3')
    await block(event, 'seat-1-4')
    for (const seat of ['seat-1-1', 'seat-1-2', 'seat-1-3', 'seat-1-4'])
      assert.equal(await codeOf(storefrontHolds(event, 'seat-1-5', seat)), 'SEATS_NOT_AVAILABLE')
    assert.deepEqual(await takenSeats(event), [
      'seat-1-1 sold',
      'seat-1-2 held',
      'seat-1-3 held',
      'seat-1-4 blocked',
    ])
  })

  test('the journal has each cart that was held, sold or released', async ({ assert }) => {
    const event = await anEvent()
    const sold = await storefrontHolds(event, 'seat-1-1', 'seat-1-2')
    const released = await storefrontHolds(event, 'seat-1-3')
    const cartOf = ({ cartId }: { cartId: string }) => ({
      eventId: event.id,
      cartId,
      actor: TESTER,
    })
    await new SellToStorefront().handle(cartOf(sold))
    await new ReleaseFromStorefront().handle(cartOf(released))
    const entries = await rows(
      `SELECT name, change ->> 'cart_id' AS cart FROM journal WHERE event_id = ? AND name LIKE 'storefront%' ORDER BY id`,
      event.id
    )
    assert.deepEqual(
      entries.map(({ name, cart }) => `${name} ${cart}`),
      [
        `storefront_held ${sold.cartId}`,
        `storefront_held ${released.cartId}`,
        `storefront_sold ${sold.cartId}`,
        `storefront_released ${released.cartId}`,
      ]
    )
  })

  test('a cart that was sold cannot be released', async ({ assert }) => {
    const event = await anEvent()
    const { cartId } = await storefrontHolds(event, 'seat-1-1')
    const cart = { eventId: event.id, cartId, actor: TESTER }
    await new SellToStorefront().handle(cart)
    assert.deepEqual(await new ReleaseFromStorefront().handle(cart), { seats: 0 })
    assert.deepEqual(await takenSeats(event), ['seat-1-1 sold'])
  })
})
