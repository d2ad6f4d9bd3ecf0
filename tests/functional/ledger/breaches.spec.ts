import RecordPayment from '#ledger/actions/record_payment'
import { DeclineMemo, RequestMemo } from '#ledger/actions/memos'
import { findBreaches } from '#ledger/queries/find_breaches'
import { lateCase } from '#tests/support/cases'
import { aPerson, aSale, sell, TESTER, type TestPartner } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import { ownerRows } from '#tests/support/rows'
import { setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

const DAY_MS = 86_400_000
const lately = () => ({ from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) })

const breachesOf = async ({ id: partnerId }: TestPartner) => {
  const found = await findBreaches({ partnerId, ...lately() })
  return found.map(({ code, subject }) => [code, subject])
}

/** Changes what the tables' triggers guard. */
const byForce = (sql: string) =>
  ownerRows(`WITH free AS (SELECT set_config('session_replication_role', 'replica', true)) ${sql}`)

const requestMemo = async ({ code: partnerCode }: TestPartner, amountTenge: bigint) => {
  const by = { origin: null, reason: 'Возврат мимо системы', actor: aPerson() }
  const { memoId } = await new RequestMemo().handle({
    ...by,
    partnerCode,
    kind: 'adj_credit',
    amountTenge,
  })
  return memoId
}

/** A sale of two tickets, one of them refunded; a memo of 5,000 for the partner; a payment of 7,000 by it. */
async function aLedger() {
  const { client, event, partner } = await aSale()
  await setTerms(partner)
  const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
  const [{ ticket_id: refunded }, { ticket_id: valid }] = sold.tickets
  await refund(client, sold.order_id, [refunded])
  const memoId = await requestMemo(partner, 5_000n)
  const declinedId = await requestMemo(partner, 500_000n)
  await new DeclineMemo().handle({ memoId: declinedId, note: null, actor: TESTER })
  const { paymentId } = await new RecordPayment().handle({
    partnerCode: partner.code,
    bankReference: `П-1 ${partner.code}`,
    paidOn: '2026-11-20',
    direction: 'from_partner',
    amountTenge: 7_000n,
    parts: [],
    actor: TESTER,
  })
  return {
    partner,
    order: sold.order_id as string,
    refunded: refunded as string,
    valid: valid as string,
    memo: `memo:${memoId}`,
    memoId,
    declined: `memo:${declinedId}`,
    payment: `payment:${paymentId}`,
    paymentId,
  }
}
type Ledger = Awaited<ReturnType<typeof aLedger>>

const set = (source: string, kind: string, change: string) =>
  `UPDATE ledger_movements SET ${change} FROM free WHERE source = '${source}' AND kind = '${kind}'`
const remove = (source: string, kind: string) =>
  `DELETE FROM ledger_movements USING free WHERE source = '${source}' AND kind = '${kind}'`
const add = ({ id }: TestPartner, source: string, kind: string, tenge: number) =>
  `INSERT INTO ledger_movements (partner_id, kind, amount_tenge, source, effective_at)
   SELECT ${id}, '${kind}', ${tenge}, '${source}', now() FROM free`

interface Disagreement {
  title: string
  /** Statements that break the ledger. */
  changes: (ledger: Ledger) => string[]
  breach: (ledger: Ledger) => [code: string, subject: string]
}

const chargeOfOrder = ({ order }: Ledger): [string, string] => ['CHARGE_WRONG', order]
const chargeOfTicket = ({ refunded }: Ledger): [string, string] => ['CHARGE_WRONG', refunded]

const DISAGREEMENTS: Disagreement[] = [
  {
    title: 'a paid order without the movement of its sale',
    changes: ({ order }) => [remove(order, 'sale')],
    breach: ({ order }) => ['MOVEMENT_MISSING', order],
  },
  {
    title: 'tenge moved from the commission to the VAT of a sale',
    changes: ({ order }) => [
      set(order, 'commission', 'amount_tenge = amount_tenge + 100'),
      set(order, 'vat', 'amount_tenge = amount_tenge - 100'),
    ],
    breach: chargeOfOrder,
  },
  {
    title: 'VAT without a movement',
    changes: ({ order }) => [remove(order, 'vat')],
    breach: chargeOfOrder,
  },
  {
    title: 'a commission by another rate, with the right amount',
    changes: ({ order }) => [set(order, 'commission', 'rate_bp = 751')],
    breach: chargeOfOrder,
  },
  {
    title: 'a commission at another time than its sale',
    changes: ({ order }) => [
      set(order, 'commission', `effective_at = effective_at - interval '1 second'`),
    ],
    breach: chargeOfOrder,
  },
  {
    title: 'a commission of another partner than its sale',
    changes: ({ order }) => [set(order, 'commission', 'partner_id = 0')],
    breach: chargeOfOrder,
  },
  {
    title: 'a wrong amount of commission that is taken back',
    changes: ({ refunded }) => [
      set(refunded, 'commission_reversal', 'amount_tenge = amount_tenge + 1'),
    ],
    breach: chargeOfTicket,
  },
  {
    title: 'VAT that is not taken back',
    changes: ({ refunded }) => [remove(refunded, 'vat_reversal')],
    breach: chargeOfTicket,
  },
  {
    title: 'tenge moved between the commission and the VAT that are taken back',
    changes: ({ refunded }) => [
      set(refunded, 'commission_reversal', 'amount_tenge = amount_tenge - 100'),
      set(refunded, 'vat_reversal', 'amount_tenge = amount_tenge + 100'),
    ],
    breach: chargeOfTicket,
  },
  {
    title: 'a commission that is taken back at another time than the refund',
    changes: ({ refunded }) => [
      set(refunded, 'commission_reversal', `effective_at = effective_at - interval '1 second'`),
    ],
    breach: chargeOfTicket,
  },
  {
    title: 'a return at another time than its refund',
    changes: ({ refunded }) => [
      set(refunded, 'refund', `effective_at = effective_at - interval '1 second'`),
    ],
    breach: ({ refunded }) => ['MOVEMENT_WRONG', refunded],
  },
  {
    title: 'a second return of a voided ticket, of another kind',
    changes: ({ partner, refunded }) => [add(partner, refunded, 'platform_void', -12_000)],
    breach: ({ refunded }) => ['MOVEMENT_WITHOUT_CAUSE', refunded],
  },
  {
    title: 'a commission that is taken back for a valid ticket',
    changes: ({ partner, valid }) => [add(partner, valid, 'commission_reversal', 900)],
    breach: ({ valid }) => ['MOVEMENT_WITHOUT_CAUSE', valid],
  },
  {
    title: 'a sale of another number of tickets than were booked',
    changes: ({ order }) => [set(order, 'sale', 'tickets = 3')],
    breach: ({ order }) => ['MOVEMENT_WRONG', order],
  },
  {
    title: 'a sale of another partner than its order',
    changes: ({ order }) => [set(order, 'sale', 'partner_id = 0')],
    breach: ({ order }) => ['MOVEMENT_WRONG', order],
  },
  {
    title: 'a sale at another time than its order was paid',
    changes: ({ order }) => [
      set(order, 'sale', `effective_at = effective_at - interval '1 second'`),
    ],
    breach: ({ order }) => ['MOVEMENT_WRONG', order],
  },
  {
    title: 'a memo without a movement',
    changes: ({ memo }) => [remove(memo, 'adj_credit')],
    breach: ({ memo }) => ['MOVEMENT_MISSING', memo],
  },
  {
    title: 'a memo whose movement has another amount',
    changes: ({ memo }) => [set(memo, 'adj_credit', 'amount_tenge = -5001')],
    breach: ({ memo }) => ['MOVEMENT_WRONG', memo],
  },
  {
    title: 'a memo that another partner’s movement names',
    changes: ({ memo }) => [set(memo, 'adj_credit', 'partner_id = 0')],
    breach: ({ memo }) => ['MOVEMENT_WRONG', memo],
  },
  {
    title: 'a movement of a declined memo',
    changes: ({ partner, declined }) => [add(partner, declined, 'adj_credit', -500_000)],
    breach: ({ declined }) => ['MOVEMENT_WITHOUT_CAUSE', declined],
  },
  {
    title: 'a movement of another kind than its memo',
    changes: ({ partner, memo }) => [add(partner, memo, 'penalty', 5_000)],
    breach: ({ memo }) => ['MOVEMENT_WITHOUT_CAUSE', memo],
  },
  {
    title: 'a correction without a memo',
    changes: ({ partner }) => [add(partner, 'by hand', 'adj_debit', 1_000)],
    breach: () => ['MOVEMENT_WITHOUT_CAUSE', 'by hand'],
  },
  {
    title: 'a payment without a movement',
    changes: ({ payment }) => [remove(payment, 'payment')],
    breach: ({ payment }) => ['MOVEMENT_MISSING', payment],
  },
  {
    title: 'a payment that moved in the other direction',
    changes: ({ payment }) => [set(payment, 'payment', 'amount_tenge = 7000')],
    breach: ({ payment }) => ['MOVEMENT_WRONG', payment],
  },
  {
    title: 'a movement of a payment that was never recorded',
    changes: ({ partner }) => [add(partner, 'payment:999999999999', 'payment', -1)],
    breach: () => ['MOVEMENT_WITHOUT_CAUSE', 'payment:999999999999'],
  },
]

test.group('Breaches of the ledger', () => {
  test('a ledger that agrees with orders, tickets, memos and payments has none', async ({
    assert,
  }) => {
    const { partner } = await aLedger()
    assert.deepEqual(await breachesOf(partner), [])
  })

  for (const { title, changes, breach } of DISAGREEMENTS)
    test(`${title} is found`, async ({ assert }) => {
      const ledger = await aLedger()
      for (const change of changes(ledger)) await byForce(change)
      assert.deepEqual(await breachesOf(ledger.partner), [breach(ledger)])
    })

  test('an order that was booked for other seats or at another price is found', async ({
    assert,
  }) => {
    const changed = async (change: (booking: string) => string) => {
      const { partner, order } = await aLedger()
      await byForce(change(`(SELECT booking_id FROM orders WHERE id = '${order}')`))
      const found = await breachesOf(partner)
      return found.filter(([, subject]) => subject === order).map(([code]) => code)
    }
    // The charges follow what was booked, so they are wrong as well.
    const dearer = await changed(
      (booking) => `UPDATE booking_seats SET price_tenge = 45000 FROM free
        WHERE booking_id = ${booking} AND position = 1`
    )
    assert.sameMembers(dearer, ['TOTAL_NE_TICKETS', 'CHARGE_WRONG'])
    const fewer = await changed(
      (booking) =>
        `DELETE FROM booking_seats USING free WHERE booking_id = ${booking} AND position = 1`
    )
    assert.sameMembers(fewer, ['PAID_WITHOUT_TICKETS', 'CHARGE_WRONG'])
  })

  test('VAT that the terms do not ask for is found', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    await setTerms(partner, { vatBp: 0 })
    const { order_id: order } = await sell(client, event.id, ['seat-2-1'])
    assert.deepEqual(await breachesOf(partner), [])
    await byForce(add(partner, order as string, 'vat', -100))
    assert.deepEqual(await breachesOf(partner), [['CHARGE_WRONG', order]])
  })

  test('a void ticket of an order that is not paid is found', async ({ assert }) => {
    const { partner, order, refunded } = await aLedger()
    await byForce(
      `UPDATE orders SET stored_status = 'pending', confirmed_at = NULL, payment_amount_tenge = NULL FROM free WHERE id = '${order}'`
    )
    assert.deepInclude(await breachesOf(partner), ['TICKET_WITHOUT_PAID_ORDER', refunded])
  })

  test('a movement that names the order of another partner is found with both', async ({
    assert,
  }) => {
    const [one, other] = [await aLedger(), await aLedger()]
    await byForce(set(one.order, 'vat', `partner_id = ${other.partner.id}`))
    assert.deepEqual(await breachesOf(one.partner), [['CHARGE_WRONG', one.order]])
    assert.deepEqual(await breachesOf(other.partner), [['MOVEMENT_WITHOUT_CAUSE', one.order]])
  })

  test('a blocking defect is found until it is gone or its case is settled', async ({ assert }) => {
    const { partner, caseId, orderId } = await lateCase()
    await ownerRows(`UPDATE settlement_cases SET severity = 'BLOCKER' WHERE id = ?`, caseId)
    await ownerRows(`UPDATE settlement_defects SET severity = 'BLOCKER' WHERE case_id = ?`, caseId)
    const foundWith = async (change: string, table: string, id: string) => {
      await ownerRows(`UPDATE ${table} SET ${change} WHERE ${id} = ?`, caseId)
      const breaches = await breachesOf(partner)
      return breaches.filter(([, subject]) => subject === orderId).length > 0
    }
    const defects = ['settlement_defects', 'case_id'] as const
    assert.isTrue(await foundWith('gone_at = NULL', ...defects))
    assert.isFalse(await foundWith('gone_at = now()', ...defects))
    assert.isTrue(await foundWith('gone_at = NULL', ...defects))
    for (const state of ['in_work', 'with_partner'])
      assert.isTrue(await foundWith(`state = '${state}'`, 'settlement_cases', 'id'), state)
    const settled = `state = 'resolved', resolution = 'Верно', settled_tenge = 0, settled_party = 'NONE', settled_payment_ids = '{}'`
    assert.isFalse(await foundWith(settled, 'settlement_cases', 'id'))
  })
})
