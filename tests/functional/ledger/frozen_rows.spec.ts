import { RequestMemo } from '#ledger/actions/memos'
import RecordPayment from '#ledger/actions/record_payment'
import { localDay } from '#shared/days'
import { aPartner, aPerson } from '#tests/support/fixtures'
import { ownerRows } from '#tests/support/rows'
import { test } from '@japa/runner'

async function aMemoAndAPayment() {
  const { code: partnerCode } = await aPartner()
  const actor = aPerson()
  const ask = (amountTenge: bigint) =>
    new RequestMemo().handle({
      partnerCode,
      kind: 'adj_credit',
      amountTenge,
      reason: 'Возврат мимо системы',
      origin: null,
      actor,
    })
  const { memoId: approved } = await ask(5_000n)
  const { memoId: open } = await ask(500_000n)
  const { paymentId } = await new RecordPayment().handle({
    partnerCode,
    bankReference: `П-1 ${partnerCode}`,
    paidOn: localDay(new Date()),
    direction: 'from_partner',
    amountTenge: 7_000n,
    parts: [],
    actor,
  })
  return { approved, open, payment: paymentId! }
}

const CHANGES: [subject: 'approved' | 'open' | 'payment', sql: string][] = [
  ['approved', `UPDATE settlement_memos SET reason = 'другое' WHERE id = ?`],
  ['approved', 'UPDATE settlement_memos SET amount_tenge = 1 WHERE id = ?'],
  ['approved', `UPDATE settlement_memos SET decided_by = 'other' WHERE id = ?`],
  ['approved', 'DELETE FROM settlement_memos WHERE id = ?'],
  ['open', `UPDATE settlement_memos SET reason = 'другое' WHERE id = ?`],
  ['open', 'UPDATE settlement_memos SET amount_tenge = 1 WHERE id = ?'],
  ['open', 'UPDATE settlement_memos SET needs_second = false WHERE id = ?'],
  ['payment', `UPDATE settlement_payments SET bank_reference = 'П-2' WHERE id = ?`],
  ['payment', 'UPDATE settlement_payments SET amount_tenge = 1 WHERE id = ?'],
  ['payment', `UPDATE settlement_payments SET paid_on = paid_on - 1 WHERE id = ?`],
  ['payment', `UPDATE settlement_payments SET direction = 'to_partner' WHERE id = ?`],
  ['payment', 'DELETE FROM settlement_payments WHERE id = ?'],
]

test.group('Rows of settlement that stay', () => {
  test('the database refuses, for {0}: {1}')
    .with(CHANGES)
    .run(async ({ assert }, [subject, sql]) => {
      const ids = await aMemoAndAPayment()
      await assert.rejects(() => ownerRows(sql, ids[subject]), /is not allowed/)
    })
})
