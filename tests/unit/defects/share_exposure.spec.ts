import { NO_EXPOSURE } from '#defects/facts/exposure'
import { shareExposure } from '#defects/rule_sets/share_exposure'
import type { DefectCode } from '#defects/rules/defect_codes'
import { finding, type Finding } from '#defects/rules/finding'
import { test } from '@japa/runner'

const ORDER = 'TIX-2026-000001'
const buyer = (tenge: bigint) => ({ ...NO_EXPOSURE, buyer: tenge })
const about = (code: DefectCode) =>
  finding({
    code,
    severity: 'HIGH',
    orderId: ORDER,
    exposureTenge: 12_000n,
    exposureParty: 'BUYER',
  })
const sharesOf = (found: Finding[]) =>
  found.map(({ code, exposureTenge }) => [code, exposureTenge] as const)

test.group('Sharing an exposure out', () => {
  test('the worked example: the first rule explains all of it', ({ assert }) => {
    const found = [about('LATE_MONEY_NOT_RETURNED'), about('CONFIRM_ORDER_EXPIRED')]
    assert.deepEqual(sharesOf(shareExposure(found, buyer(12_000n), ORDER)), [
      ['LATE_MONEY_NOT_RETURNED', 0n],
      ['CONFIRM_ORDER_EXPIRED', 12_000n],
    ])
  })

  test('two findings of one code on one order are one, which explains both, with the evidence of both', ({
    assert,
  }) => {
    const [first, second] = ['request-1', 'request-2'].map((request) => {
      return { ...about('CONFIRM_ORDER_EXPIRED'), evidence: [request] }
    })
    const found = shareExposure(
      [first, about('LATE_MONEY_NOT_RETURNED'), second],
      buyer(24_000n),
      ORDER
    )
    assert.deepEqual(sharesOf(found), [
      ['CONFIRM_ORDER_EXPIRED', 24_000n],
      ['LATE_MONEY_NOT_RETURNED', 0n],
    ])
    assert.deepEqual(found[0].evidence, ['request-1', 'request-2'])
  })

  test('of two findings of one code on one order about two parties the one without money gives way', ({
    assert,
  }) => {
    const ofBuyer = about('CONFIRM_ORDER_EXPIRED')
    const ofBoth = (exposureParty: 'BUYER' | 'PLATFORM') =>
      finding({
        code: 'REGISTER_AMOUNT_DIFFERS',
        severity: 'HIGH',
        orderId: ORDER,
        exposureTenge: 4_000n,
        exposureParty,
      })
    const exposure = { ...NO_EXPOSURE, buyer: 12_000n, platform: 4_000n }
    const found = shareExposure([ofBuyer, ofBoth('PLATFORM'), ofBoth('BUYER')], exposure, ORDER)
    assert.deepEqual(
      found.map(({ code, exposureTenge, exposureParty }) => [code, exposureTenge, exposureParty]),
      [
        ['CONFIRM_ORDER_EXPIRED', 12_000n, 'BUYER'],
        ['REGISTER_AMOUNT_DIFFERS', 4_000n, 'PLATFORM'],
      ]
    )
  })

  test('what is beyond all that rules explain is the first one’s', ({ assert }) => {
    const found = [about('LATE_MONEY_NOT_RETURNED'), about('CONFIRM_ORDER_EXPIRED')]
    assert.deepEqual(sharesOf(shareExposure(found, buyer(30_000n), ORDER)), [
      ['LATE_MONEY_NOT_RETURNED', 12_000n],
      ['CONFIRM_ORDER_EXPIRED', 18_000n],
    ])
  })

  test('money that no rule explains has a name', ({ assert }) => {
    const exposure = { buyer: 1n, platform: 2n, partner: 3n }
    assert.deepEqual(sharesOf(shareExposure([], exposure, ORDER)), [
      ['LATE_MONEY_NOT_RETURNED', 1n],
      ['REGISTER_AMOUNT_DIFFERS', 2n],
      ['REFUND_SUM_MISMATCH', 3n],
    ])
  })

  test('it has another name where the first one is about another party', ({ assert }) => {
    const exposure = { buyer: 12_000n, platform: 2n, partner: 0n }
    const found = [about('REGISTER_AMOUNT_DIFFERS')]
    assert.deepEqual(sharesOf(shareExposure(found, exposure, ORDER)), [
      ['REGISTER_AMOUNT_DIFFERS', 12_000n],
      ['MISSING_AT_PARTNER', 2n],
    ])
  })
})
