import { sum, sumNumbers, sumTenge } from '#shared/sums'
import { test } from '@japa/runner'

test.group('Sums', () => {
  test('add one value per item, and are zero without items', ({ assert }) => {
    const tickets = [
      { tenge: 12_000n, seats: 1 },
      { tenge: -45_000n, seats: 2 },
    ]
    assert.equal(
      sumTenge(tickets, ({ tenge }) => tenge),
      -33_000n
    )
    assert.equal(
      sumTenge([], () => 1n),
      0n
    )
    assert.equal(sum([5n, -2n]), 3n)
    assert.equal(
      sumNumbers(tickets, ({ seats }) => seats),
      3
    )
    assert.equal(
      sumNumbers(new Map([['a', 2]]).values(), (value) => value),
      2
    )
  })
})
