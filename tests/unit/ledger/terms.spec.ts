import {
  assertTerms,
  FIRST_TERMS_FROM,
  hasHighRates,
  isCarriedOver,
  type Terms,
} from '#ledger/terms'
import platform from '#config/platform'
import type { Refusal } from '#shared/refusals'
import { TERMS } from '#tests/support/settlement'
import { test } from '@japa/runner'

const fieldOf = (more: Partial<Terms>) => {
  try {
    assertTerms({ ...TERMS, ...more })
    return null
  } catch (error) {
    const { fields } = (error as Refusal).details as { fields: { field: string }[] }
    return fields[0].field
  }
}

test.group('Terms', () => {
  test('begin at midnight of the venues', ({ assert }) => {
    const from = (ms: number) => fieldOf({ validFrom: new Date(FIRST_TERMS_FROM.getTime() + ms) })
    assert.isNull(from(0))
    assert.equal(from(1), 'validFrom')
    assert.equal(from(3_600_000), 'validFrom')
  })

  test('have rates from 0 to 100 %, but not 100 % of both', ({ assert }) => {
    assert.isNull(fieldOf({ commissionBp: 0, vatBp: 0 }))
    assert.isNull(fieldOf({ commissionBp: 10_000, vatBp: 9_999 }))
    assert.isNull(fieldOf({ commissionBp: 9_999, vatBp: 10_000 }))
    assert.equal(fieldOf({ commissionBp: 10_000, vatBp: 10_000 }), 'commissionBp')
    for (const rate of [-1, 10_001, 0.5]) {
      assert.equal(fieldOf({ commissionBp: rate }), 'commissionBp')
      assert.equal(fieldOf({ vatBp: rate }), 'vatBp')
    }
  })

  test('have a BIN with its control digit, or none', ({ assert }) => {
    assert.isNull(fieldOf({ bin: null }))
    assert.isNull(fieldOf({ bin: '971240001315' }))
    for (const bin of ['12345678901', '971240001316']) assert.equal(fieldOf({ bin }), 'bin')
  })

  test('a rate above the limit of one person is high, commission or VAT', ({ assert }) => {
    const { commissionBp, vatBp } = platform.singlePersonLimits
    assert.isFalse(hasHighRates({ commissionBp, vatBp }))
    assert.isTrue(hasHighRates({ commissionBp: commissionBp + 1, vatBp }))
    assert.isTrue(hasHighRates({ commissionBp, vatBp: vatBp + 1 }))
  })

  test('a balance below the minimum payment is carried over, whoever owes it', ({ assert }) => {
    const terms = { ...TERMS, minPaymentTenge: 1_000n }
    for (const tenge of [999n, -999n, 1n]) assert.isTrue(isCarriedOver(tenge, terms))
    for (const tenge of [0n, 1_000n, -1_000n]) assert.isFalse(isCarriedOver(tenge, terms))
  })
})
