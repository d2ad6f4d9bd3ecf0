import { heaviestNonOverlapping } from '#reconciliation/evidence/heaviest_non_overlapping'
import type { RegisterFacts } from '#defects/facts/register_facts'
import { OrderEvidence } from '#reconciliation/evidence/order_evidence'
import { spelling } from '#reconciliation/reading/payment_spelling'
import type { DatedFact } from '#reconciliation/evidence/register_evidence'
import { cpuMsOf } from '#tests/support/cpu_time'
import { at, evidenceRow } from '#tests/unit/reconciliation/support'
import { test } from '@japa/runner'

const NOON = at('2026-09-15T12:00:00Z').getTime()
const charge = (more: Partial<RegisterFacts>, moment: number | null = NOON): DatedFact => ({
  fact: {
    code: 'MISSING_AT_PLATFORM',
    tenge: 12_000n,
    party: 'BUYER',
    evidence: [],
    paymentIds: ['pay-1'],
    ...more,
  },
  at: moment,
})
const factsIn = (evidence: OrderEvidence) => evidence.facts(spelling([]))

test.group('Evidence of an order', () => {
  test('a certain charge stays certain, whichever register is read first', ({ assert }) => {
    const sure = charge({ isOfPending: false })
    const pending = charge({ isOfPending: true, tenge: 12_500n })
    for (const both of [
      [sure, pending],
      [pending, sure],
    ]) {
      const evidence = new OrderEvidence()
      for (const [index, fact] of both.entries()) evidence.add(fact, evidenceRow(index))
      assert.deepEqual(factsIn(evidence), [sure.fact])
    }
  })

  test('many charges with and without payment ids are evaluated quickly', ({ assert }) => {
    const evidence = new OrderEvidence()
    const each = 20_000
    for (let n = 0; n < each; n++) {
      evidence.add(charge({ paymentIds: [`pay-${n}`] }), evidenceRow(1))
      evidence.add(charge({ paymentIds: [] }), evidenceRow(1))
      evidence.add(charge({ paymentIds: [] }), evidenceRow(2))
    }
    const took = cpuMsOf(() => assert.lengthOf(factsIn(evidence), 2 * each))
    assert.isBelow(took, 3_000)
  })
})

const part = (from: number, to: number, tenge: bigint) => ({ from, to, tenge })

test.group('Overlapping registers', () => {
  test('registers of different days add up, of the same days the largest total counts', ({
    assert,
  }) => {
    const [week, next, month] = [part(1, 7, 10n), part(7, 14, 20n), part(1, 30, 25n)]
    assert.deepEqual(heaviestNonOverlapping([]), [])
    assert.deepEqual(heaviestNonOverlapping([week]), [week])
    assert.deepEqual(heaviestNonOverlapping([next, month, week]), [week, next])
    assert.deepEqual(heaviestNonOverlapping([week, next, { ...month, tenge: 40n }]), [
      { ...month, tenge: 40n },
    ])
    assert.deepEqual(heaviestNonOverlapping([week, { ...week, tenge: 12n }]), [
      { ...week, tenge: 12n },
    ])
  })
})
