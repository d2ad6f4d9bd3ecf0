import type { OurOrder } from '#reconciliation/matching/match_case'
import type { MatchRow } from '#reconciliation/matching/match_row'
import { test } from '@japa/runner'
import { anOrder, aRow, at, matched, sold } from './support.js'

const NOON = at('2026-09-15T12:00:00Z')
const NEXT_DAY = at('2026-09-16T12:00:00Z')

const returned = (line: number, changed: Partial<MatchRow> = {}) =>
  aRow(line, { amountTenge: -10_000n, ...changed })

const voided = (n: number, changed: Partial<OurOrder> = {}) =>
  anOrder(n, { status: 'refunded', refundedTenge: 10_000n, ...changed })

/** Three tickets of 5,000, of which two were voided on the day of the sale and one on the next day. */
const partlyVoided = (n: number) =>
  anOrder(n, {
    status: 'refunded',
    totalTenge: 15_000n,
    refundedTenge: 15_000n,
    voids: [
      { at: NOON, tenge: 10_000 },
      { at: NEXT_DAY, tenge: 5_000 },
    ],
  })

const expired = (n: number) => anOrder(n, { status: 'expired', externalPaymentId: null })
const refused = (n: number) => ({
  orderIdSent: expired(n).orderId,
  externalPaymentId: `late-${n}`,
  amountTenge: 10_000n,
  code: 'ORDER_EXPIRED',
})

test.group('Refunds without identifiers', () => {
  const CASES: [string, MatchRow[], OurOrder[], string[]][] = [
    [
      'are of the order that was voided on their day, as their sale is',
      [aRow(2), returned(3)],
      [voided(1)],
      ['MATCHED SUGGESTED_BY_LIKENESS [2,3] [1]'],
    ],
    [
      'are of a sale that names its order',
      [sold(2, 1), returned(3)],
      [voided(1)],
      ['MATCHED SUGGESTED_BY_LIKENESS [2,3] [1]'],
    ],
    [
      'are of a sale of an earlier register',
      [returned(2)],
      [voided(1, { isInPeriod: false, statementPeriod: 'earlier' })],
      ['MATCHED SUGGESTED_BY_LIKENESS [2] [1]'],
    ],
    [
      'with a dummy payment id are as nameless',
      [aRow(2, { paymentId: 'test' }), returned(3, { paymentId: 'test' })],
      [voided(1)],
      ['MATCHED SUGGESTED_BY_LIKENESS [2,3] [1]'],
    ],
    [
      'with a payment id of their own follow a payment, not a sum',
      [sold(2, 1), returned(3, { paymentId: 'R-1' })],
      [voided(1)],
      ['REFUND_DIFF EXACT [2] [1]', 'MISSING_AT_PLATFORM NONE [3] []'],
    ],
    [
      'of another sum are of no order',
      [sold(2, 1), returned(3, { amountTenge: -9_000n })],
      [voided(1)],
      ['REFUND_DIFF EXACT [2] [1]', 'MISSING_AT_PLATFORM NONE [3] []'],
    ],
    [
      'of another day are of no order',
      [sold(2, 1), returned(3, { at: NEXT_DAY })],
      [voided(1)],
      ['REFUND_DIFF EXACT [2] [1]', 'MISSING_AT_PLATFORM NONE [3] []'],
    ],
    [
      'are of no order whose tickets are valid',
      [sold(2, 1), returned(3)],
      [anOrder(1)],
      ['MATCHED EXACT [2] [1]', 'MISSING_AT_PLATFORM NONE [3] []'],
    ],
    [
      'that two orders fit are of both together',
      [sold(2, 1), sold(3, 2), returned(4), returned(5)],
      [voided(1), voided(2)],
      ['MATCHED SUGGESTED_BY_LIKENESS [2,3,4,5] [1,2]'],
    ],
    [
      'that are fewer than the orders which they fit leave a void without its refund',
      [sold(2, 1), sold(3, 2), returned(4)],
      [voided(1), voided(2)],
      ['REFUND_DIFF SUGGESTED_BY_LIKENESS [2,3,4] [1,2]'],
    ],
    [
      'are of the order of their event',
      [sold(2, 1), sold(3, 2), returned(4, { event: 'evt_2' })],
      [voided(1), voided(2, { eventId: 'evt_2' })],
      ['REFUND_DIFF EXACT [2] [1]', 'MATCHED SUGGESTED_BY_LIKENESS [3,4] [2]'],
    ],
    [
      'are of no order whose refund another row names',
      [sold(2, 1), returned(3, { orderKey: 'P-1' }), returned(4), sold(5, 2)],
      [voided(1), voided(2)],
      ['MATCHED EXACT [2,3] [1]', 'MATCHED SUGGESTED_BY_LIKENESS [4,5] [2]'],
    ],
    [
      'that name their order leave its sale to a row without identifiers',
      [aRow(2), returned(3, { orderKey: 'P-1' })],
      [voided(1)],
      ['MATCHED SUGGESTED_BY_LIKENESS [2,3] [1]'],
    ],
    [
      'are of no order whose sale is net of its refund',
      [sold(2, 1, { amountTenge: 5_000n }), returned(3)],
      [partlyVoided(1)],
      ['AMOUNT_DIFF EXACT [2] [1]', 'MISSING_AT_PLATFORM NONE [3] []'],
    ],
    [
      'are of tickets that were voided at one moment',
      [
        sold(2, 1, { amountTenge: 15_000n }),
        returned(3),
        returned(4, { amountTenge: -5_000n, at: NEXT_DAY }),
      ],
      [partlyVoided(1)],
      ['MATCHED SUGGESTED_BY_LIKENESS [2,3,4] [1]'],
    ],
    [
      'are of all that was voided, on the day of the last void',
      [sold(2, 1, { amountTenge: 15_000n }), returned(3, { amountTenge: -15_000n, at: NEXT_DAY })],
      [partlyVoided(1)],
      ['MATCHED SUGGESTED_BY_LIKENESS [2,3] [1]'],
    ],
    [
      'do not explain why the charge of their order differs',
      [sold(2, 1, { amountTenge: 11_000n }), returned(3)],
      [voided(1)],
      ['AMOUNT_DIFF SUGGESTED_BY_LIKENESS [2,3] [1]'],
    ],
  ]
  for (const [title, rows, orders, lines] of CASES)
    test(title, async ({ assert }) => {
      const found = await matched(rows, orders)
      assert.deepEqual(found.lines, lines)
    })

  test('with the payment id that many orders have are as nameless', async ({ assert }) => {
    const orders = Array.from({ length: 22 }, (_, n) =>
      anOrder(n + 1, { externalPaymentId: 'SHOP' })
    )
    orders[0] = voided(1, { externalPaymentId: 'SHOP' })
    const rows = orders.map((_, n) => aRow(n + 2, { paymentId: 'SHOP' }))
    const { cases } = await matched([...rows, returned(24, { paymentId: 'SHOP' })], orders)
    assert.deepEqual(
      cases.map(({ category, rows: own }) => `${category} ${own.length}`),
      ['MATCHED 23']
    )
  })

  test('with a payment number of the source’s own follow that payment alone', async ({
    assert,
  }) => {
    const rows = [
      aRow(2, { paymentId: 'own-1' }),
      returned(3, { paymentId: 'own-1' }),
      returned(4, { paymentId: 'own-9' }),
    ]
    const { lines } = await matched(rows, [voided(1)], { hasOwnPaymentIds: true })
    assert.deepEqual(lines, [
      'MATCHED SUGGESTED_BY_LIKENESS [2,3] [1]',
      'MISSING_AT_PLATFORM NONE [4] []',
    ])
  })
})

test.group('Late payments without identifiers', () => {
  test('and their returns are of the order that expired', async ({ assert }) => {
    const { cases, lines } = await matched([aRow(2), returned(3)], [expired(1)], {
      attempts: [refused(1)],
    })
    assert.deepEqual(lines, [
      'MISSING_AT_PLATFORM SUGGESTED_BY_LIKENESS [2] []',
      'MISSING_AT_PLATFORM SUGGESTED_BY_LIKENESS [3] []',
    ])
    for (const { meantOrderId, why } of cases) {
      assert.equal(meantOrderId, expired(1).orderId)
      assert.deepEqual(
        why.map(({ code }) => code),
        ['SAME_AMOUNT_AND_DAY', 'ORDER_EXPIRED']
      )
    }
  })

  test('are of one of several orders, not known which', async ({ assert }) => {
    const { cases } = await matched([returned(2)], [expired(1), expired(2)], {
      attempts: [refused(2), refused(1)],
    })
    const [{ category, meantOrderId, why }] = cases
    assert.deepEqual([category, meantOrderId], ['MISSING_AT_PLATFORM', null])
    assert.deepEqual(
      why.map(({ code }) => code),
      ['SEVERAL_CANDIDATES', 'ORDER_EXPIRED', 'ORDER_EXPIRED']
    )
  })

  test('are shared with a paid order alike', async ({ assert }) => {
    const { cases, lines } = await matched([aRow(2), aRow(3)], [anOrder(1), expired(2)], {
      attempts: [refused(2)],
    })
    assert.deepEqual(lines, ['AMBIGUOUS NONE [2,3] [1]'])
    assert.deepInclude(cases[0].why, {
      code: 'ORDER_EXPIRED',
      detail: { orderId: expired(2).orderId },
    })
  })

  test('are of no order whose charge or return another row names, nor of one without a confirm', async ({
    assert,
  }) => {
    const rows = [
      aRow(2, { paymentId: 'late-1' }),
      returned(3, { orderId: expired(1).orderId }),
      aRow(4),
      returned(5),
    ]
    const { lines } = await matched(rows, [expired(1), expired(2)], { attempts: [refused(1)] })
    assert.includeMembers(lines, [
      'MISSING_AT_PLATFORM NONE [4] []',
      'MISSING_AT_PLATFORM NONE [5] []',
    ])
  })

  test('are of no order that may still be paid', async ({ assert }) => {
    const pending = { ...expired(1), status: 'pending' as const }
    const { lines } = await matched([aRow(2)], [pending], { attempts: [refused(1)] })
    assert.deepEqual(lines, ['MISSING_AT_PLATFORM NONE [2] []'])
  })
})
