import {
  amountDue,
  fromStoredTotals,
  listedKinds,
  netMovement,
  toStoredTotals,
  zeroTotals,
} from '#ledger/movements'
import { test } from '@japa/runner'

const example = () => ({
  ...zeroTotals(),
  sale: { movements: 2, tickets: 3, tenge: 36_000n },
  commission: { movements: 1, tickets: 0, tenge: -3_600n },
  payment: { movements: 1, tickets: 0, tenge: -20_000n },
})

test.group('Totals of movements', () => {
  test('all movements change the balance; the amount due leaves payments out', ({ assert }) => {
    assert.equal(netMovement(example()), 12_400n)
    assert.equal(50_000n + netMovement(example()), 62_400n)
    assert.equal(amountDue(example()), 32_400n)
  })

  test('kinds of rounding are listed only where something was rounded', ({ assert }) => {
    const rounded = { movements: 1, tickets: 0, tenge: 1n }
    assert.notInclude(listedKinds(example()), 'commission_rounding')
    const kinds = listedKinds({ ...example(), commission_rounding: rounded })
    assert.include(kinds, 'commission_rounding')
    assert.notInclude(kinds, 'vat_rounding')
  })

  test('stored totals are read back as they were; a kind that was not stored is zero', ({
    assert,
  }) => {
    const { penalty, ...stored } = toStoredTotals(example())
    assert.deepEqual(stored.sale, [2, 3, '36000'])
    assert.deepEqual(penalty, [0, 0, '0'])
    assert.deepEqual(fromStoredTotals(stored), example())
  })
})
