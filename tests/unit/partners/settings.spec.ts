import { partnerBudget, withReserve } from '#partners/settings'
import { test } from '@japa/runner'

test.group('Slots of a partner', () => {
  test('confirms and cancels have a quarter more, rounded up', ({ assert }) => {
    const slots = [1, 4, 5, 20].map((inFlight) => withReserve(partnerBudget(1, 100, inFlight)))
    assert.deepEqual(
      slots.map(({ inFlight }) => inFlight),
      [2, 5, 7, 25]
    )
  })
})
