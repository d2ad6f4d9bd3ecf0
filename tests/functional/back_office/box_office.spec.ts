import { ReleaseFromStorefront, SellToStorefront } from '#inventory/actions/storefront'
import type { Refusal } from '#shared/refusals'
import { block, changeStatus, storefrontHolds } from '#tests/support/circumstances'
import { aSale, anEvent, sell, TESTER } from '#tests/support/fixtures'
import { takenSeats } from '#tests/support/rows'
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

  test('the box office holds no seat without a price, nor any seat while sales are paused', async ({
    assert,
  }) => {
    const event = await anEvent()
    assert.equal(await codeOf(storefrontHolds(event, 'seat-6-1')), 'SEATS_NOT_AVAILABLE')
    await changeStatus(event, 'pause')
    assert.equal(await codeOf(storefrontHolds(event, 'seat-1-1')), 'SALES_PAUSED')
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
