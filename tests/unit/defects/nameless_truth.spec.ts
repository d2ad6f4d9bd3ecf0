import { balanceOf } from '#defects/balance/balance'
import { CONFIRMS, type Component, type ShownMoney } from '#defects/balance/component'
import type { MatchCase } from '#reconciliation/matching/match_case'
import { matchRegister } from '#reconciliation/matching/match_register'
import { shownByCase } from '#register_evidence/shown_by_case'
import type { MatchRow } from '#reconciliation/matching/match_row'
import { DisjointSets } from '#shared/disjoint_sets'
import { sumTenge } from '#shared/sums'
import { min } from '#shared/tenge'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { anOrder, aRow, at, USUAL } from '../reconciliation/support.js'

/** What happened to one order, and what of it the partner's register names. */
interface Story {
  price: bigint
  /** What went back or has to: of void tickets, or of a payment that came too late. */
  due: bigint
  kind: 'valid' | 'voided' | 'late'
  isReturned: boolean
  isChargeNamed: boolean
  isReturnNamed: boolean
}

const NOON = at('2026-09-15T12:00:00Z')
const DAYS = { from: new Date('2026-08-31T19:00:00Z'), to: new Date('2026-09-30T19:00:00Z') }

const stories = fc.array(
  fc
    .record({
      tickets: fc.integer({ min: 1, max: 3 }),
      void: fc.integer({ min: 1, max: 3 }),
      kind: fc.constantFrom('valid' as const, 'voided' as const, 'late' as const),
      isReturned: fc.boolean(),
      isChargeNamed: fc.boolean(),
      isReturnNamed: fc.boolean(),
    })
    .map(({ tickets, void: voided, ...one }): Story => {
      const price = 10_000n * BigInt(tickets)
      const part = min(price, 10_000n * BigInt(voided))
      const due = { valid: 0n, voided: part, late: price }[one.kind]
      return { ...one, price, due }
    }),
  { minLength: 1, maxLength: 8 }
)

const buyersMoney = (happened: Story[]) =>
  sumTenge(
    happened.filter((one) => !one.isReturned),
    ({ due }) => due
  )

const orderOf = ({ price, due, kind }: Story, n: number) =>
  anOrder(n, {
    totalTenge: price,
    status: kind === 'valid' ? 'paid' : kind === 'voided' ? 'refunded' : 'expired',
    refundedTenge: kind === 'voided' ? due : 0n,
    externalPaymentId: kind === 'late' ? null : `X-${n}`,
  })

/** A row of the register; a nameless one has a sum and a day. */
const rowOf = (n: number, tenge: bigint, isNamed: boolean): Partial<MatchRow> => ({
  amountTenge: tenge,
  ...(isNamed && { paymentId: `X-${n}` }),
})

function registerOf(happened: Story[]): MatchRow[] {
  const rows = happened.flatMap((one, i) => [
    rowOf(i + 1, one.price, one.isChargeNamed),
    ...(one.due > 0n && one.isReturned ? [rowOf(i + 1, -one.due, one.isReturnNamed)] : []),
  ])
  return rows.map((row, i) => aRow(i + 2, row))
}

function componentsOf(happened: Story[], cases: MatchCase[]): Component[] {
  const orders = happened.map((one, i) => ({ ...one, n: i + 1, id: orderOf(one, i + 1).orderId }))
  const union = new DisjointSets<string>()
  const shown = cases.map((one, id) => ({ ...shownByCase(evidenceOf(one, id)), id }))
  const joined = shown.map(({ ours, unknown }) => [...ours, ...unknown])
  for (const [first, ...others] of joined) for (const other of others) union.join(first, other)
  const roots = new Set(
    [...orders.map(({ id }) => id), ...joined.flat()].map((id) => union.rootOf(id))
  )
  return [...roots].map((root) => {
    const own = orders.filter(({ id }) => union.rootOf(id) === root)
    const confirms = own.map(({ id, n, price }): ShownMoney => ({
      source: CONFIRMS,
      kind: 'charge',
      tenge: price,
      paymentId: `X-${n}`,
      orderIds: [id],
      at: NOON,
    }))
    const cased = shown.filter(
      (_, i) => joined[i].length > 0 && union.rootOf(joined[i][0]) === root
    )
    const rows = cased.flatMap(({ rows: money, ours }) =>
      money.map(({ unknown, ...row }): ShownMoney => ({
        ...row,
        source: 'shop',
        orderIds: unknown === null ? ours : [unknown],
      }))
    )
    return {
      orders: own.map(({ id, n, kind, price, due }) => ({
        id,
        paymentId: kind === 'late' ? null : `X-${n}`,
        soldTenge: kind === 'late' ? 0n : price,
        validTenge: kind === 'late' ? 0n : price - due,
        notYetDueTenge: 0n,
        usedVoidTenge: 0n,
      })),
      money: [...confirms, ...rows],
      missingOrders: cased
        .flatMap(({ missing, missingIfOfDays }) => [...missing, ...missingIfOfDays])
        .map((orderId) => ({ source: 'shop', orderId })),
      sourcesSharingIds: new Map(),
    }
  })
}

const evidenceOf = (one: MatchCase, id: number) => ({
  ...DAYS,
  ...one.compared,
  id,
  registerId: 1,
  place: id,
  isDiffering: true,
  coversSales: true,
  numberedBy: null,
  category: one.category,
  decision: one.suggested.size > 0 ? ('accepted' as const) : null,
  why: one.why,
  meantOrderId: one.meantOrderId,
  isMeantOurs: one.meantOrderId !== null,
  orderIds: one.orders.map(({ orderId }) => orderId),
  rows: one.rows.map((row) => ({
    line: row.line,
    at: new Date(row.at!).toISOString(),
    paymentId: row.paymentId,
    order: row.orderId ?? row.orderKey,
    kind: row.kind,
    tenge: Number(row.amountTenge),
    returnedTenge: 0,
    isNotPaid: false,
    isSuggested: one.suggested.has(row),
  })),
})

test.group('Registers that name some rows and others not', () => {
  test('owe buyers what was not returned, and nobody else anything', async ({ assert }) => {
    await fc.assert(
      fc.asyncProperty(stories, async (happened) => {
        const attempts = happened.flatMap((one, i) =>
          one.kind === 'late'
            ? [
                {
                  orderIdSent: orderOf(one, i + 1).orderId,
                  externalPaymentId: `X-${i + 1}`,
                  amountTenge: one.price,
                  code: 'ORDER_EXPIRED',
                },
              ]
            : []
        )
        const { cases } = matchRegister({
          ...USUAL,
          rows: registerOf(happened),
          orders: happened.map((one, i) => orderOf(one, i + 1)),
          attempts,
          period: DAYS,
        })
        const balances = componentsOf(happened, cases).map(balanceOf)
        const of = (party: 'buyer' | 'platform') =>
          sumTenge(balances, ({ exposure }) => exposure[party])
        assert.deepEqual([of('buyer'), of('platform')], [buyersMoney(happened), 0n])
      }),
      { numRuns: 1_000 }
    )
  })
})
