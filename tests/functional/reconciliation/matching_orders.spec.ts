import { listMatches } from '#finance/registers/list_matches'
import DecideFeeRule from '#reconciliation/actions/decide_fee_rule'
import IssueStatement from '#ledger/actions/issue_statement'
import { findRegister } from '#reconciliation/store/find_register'
import { dataOf } from '#tests/support/answers'
import { refreshDefects } from '#tests/support/cases'
import { exposuresOf, noonOn } from '#tests/support/register_defects'
import { aSale, book, order, paymentOf, TESTER, uniqueKey } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import {
  addRefusedConfirm,
  ASKER,
  categoriesOf,
  confirmRegister,
  decideFeeRule,
  decideMatches,
  fileOf,
  lineOf,
  matchAgain,
  matchedRegister,
  matchesOf,
  midnight,
  partnerFieldsOf,
  refusalOf,
  saleOfOrders,
  soldOrderOf,
  ticketsOf,
  versionOf,
} from '#tests/support/registers'
import { rows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { performRuns } from '#tests/support/runs'
import { signedIn } from '#tests/support/page_client'
import { aStaffMember } from '#tests/support/browser'
import { test } from '@japa/runner'

/** A week within the month before last, and the noon of its first day. */
function aWeek() {
  const today = new Date()
  const noon = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 2, 15, 7))
  const from = new Date(noon.getTime() - 12 * HOUR_MS)
  return { noon, days: { from, to: new Date(from.getTime() + 7 * 24 * HOUR_MS) } }
}

const HOUR_MS = 3_600_000

/** The category and first reason of each match. */
const verdictsOf = (registerId: number) =>
  rows(
    `SELECT category, why #>> '{0,code}' AS why
       FROM partner_register_cases WHERE register_id = ? ORDER BY place`,
    registerId
  )

test.group('Matching rows to orders', () => {
  test('money that a refused confirm names is explained by it, unless its signature was forged', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const [real, forged] = [uniqueKey('pay'), uniqueKey('pay')]
    const meantBy = async (paymentId: string, isSigned: boolean) => {
      await addRefusedConfirm(partner, { orderId: 'TIX-2026-999999998', paymentId, isSigned })
      const registerId = await matchedRegister(
        partner,
        fileOf(`;${paymentId};${noonOn(0)};12000;Оплата`)
      )
      const [{ meant }] = await rows(
        'SELECT meant_order_id AS meant FROM partner_register_cases WHERE register_id = ?',
        registerId
      )
      return meant
    }
    assert.equal(await meantBy(real, true), 'TIX-2026-999999998')
    assert.isNull(await meantBy(forged, false))
  })

  test('conflicting identifiers, a repeated row and a fractional amount have categories of their own', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(3)
    const [first, second] = await Promise.all(orders.slice(0, 2).map(partnerFieldsOf))
    const mixed = await lineOf(orders[0], { payment: second.payment })
    const third = await lineOf(orders[2])
    const registerId = await matchedRegister(
      partner,
      fileOf(mixed, third, third, `${first.key};;01.10.2026 10:00:00;12000,50;Оплата`)
    )
    assert.sameMembers(await categoriesOf(registerId), [
      'KEY_CONFLICT',
      'MATCHED',
      'DUP_IN_FILE',
      'UNPARSEABLE',
    ])
  })

  test('one row matches several orders of one payment; one row per ticket match one order', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale()
    const payment = uniqueKey('cart')
    const orderOf = async (seats: string[]) => {
      const booking = dataOf(await book(client, event.id, seats))
      const placed = dataOf(await order(client, booking.booking_id))
      await confirm(
        client,
        placed.order_id,
        paymentOf(placed.total_tenge, { external_payment_id: payment })
      )
      return placed.order_id as string
    }
    const cart = [await orderOf(['seat-2-1']), await orderOf(['seat-2-2'])]
    const pair = await soldOrderOf({ client, event }, ['seat-2-3', 'seat-2-4'])
    const ticket = await lineOf(pair, { tenge: '12000' })
    const { at } = await partnerFieldsOf(cart[0])
    const whole = `;${payment};${at};24000;Оплата`
    const registerId = await matchedRegister(partner, fileOf(whole, ticket, ticket))
    assert.deepEqual(await matchesOf(registerId), [
      `MATCHED GROUP_ONE_TO_MANY [2] ${cart.toSorted().join(',')}`,
      `MATCHED GROUP_MANY_TO_ONE [3,4] ${pair}`,
    ])
  })

  test('an order number without hyphens, in small letters or with a decimal tail is a suggestion', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(4)
    const damages = [
      (id: string) => id.replaceAll('-', ''),
      (id: string) => id.toLowerCase(),
      (id: string) => `${id}.0`,
      (id: string) => `${id.replaceAll('-', '').toLowerCase()}.0`,
    ]
    const lines = await Promise.all(
      orders.map((id, n) =>
        lineOf(id, { key: damages[n](id), payment: '', at: '', tenge: `${11_000 + n}` })
      )
    )
    const registerId = await matchedRegister(partner, fileOf(...lines))
    assert.sameMembers(
      await matchesOf(registerId),
      orders.map((id, n) => `AMOUNT_DIFF SUGGESTED_BY_ID [${n + 2}] ${id}`)
    )
    const why = await rows(
      `SELECT why FROM partner_register_cases WHERE register_id = ? ORDER BY place`,
      registerId
    )
    const repairs = why.map(
      (row) => (row.why as { detail: { repairs: string[] } }[])[0].detail.repairs
    )
    assert.sameDeepMembers(repairs, [
      ['HYPHENS'],
      ['CASE'],
      ['DECIMAL_TAIL'],
      ['CASE', 'DECIMAL_TAIL', 'HYPHENS'],
    ])
    const other = await lineOf(orders[0], {
      key: `${orders[0].replaceAll('-', '')}1`,
      payment: '',
      at: '',
    })
    const unknown = await matchedRegister(partner, fileOf(other))
    assert.notInclude(await categoriesOf(unknown), 'AMOUNT_DIFF')
  })

  test('a fee in every amount is offered as a rule; once accepted it explains these rows and later a single one', async ({
    assert,
  }) => {
    const { partner, orders, client, event } = await saleOfOrders(20)
    const lines = await Promise.all(orders.map((id) => lineOf(id, { tenge: '12600' })))
    const sourceName = 'Магазин'
    const registerId = await matchedRegister(partner, fileOf(...lines), { sourceName })
    const { feeRules } = await findRegister(registerId)
    const rule = { kind: 'percent', basisPoints: 500, rows: 20 } as const
    assert.deepEqual(feeRules, [{ ...rule, isKept: false }])
    assert.deepEqual(new Set(await categoriesOf(registerId)), new Set(['AMOUNT_DIFF']))
    await decideFeeRule(registerId)
    const again = await findRegister(registerId)
    assert.deepEqual(again.feeRules, [{ ...rule, isKept: true }])
    assert.deepEqual(new Set(await categoriesOf(registerId)), new Set(['FEE_INCLUDED']))
    const single = await soldOrderOf({ client, event }, ['seat-1-1'])
    const file = fileOf(await lineOf(single, { tenge: '47250' }))
    const next = await matchedRegister(partner, file, { sourceName })
    assert.include(await matchesOf(next), `FEE_INCLUDED EXACT [2] ${single}`)
    await decideFeeRule(next, false)
    assert.include(await matchesOf(next), `AMOUNT_DIFF EXACT [2] ${single}`)
  })

  test('a fee rule is accepted on the page of its register, and a run matches the register again', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(20)
    const lines = await Promise.all(orders.map((id) => lineOf(id, { tenge: '12600' })))
    const registerId = await matchedRegister(partner, fileOf(...lines))
    await performRuns(partner)
    const finance = await signedIn(await aStaffMember('finance'))
    const version = await versionOf(registerId)
    await finance.put(`/registers/${registerId}/fee-rules`, { version, place: 0, isKept: true })
    await performRuns(partner)
    const { props } = await finance.get(`/registers/${registerId}`)
    assert.containSubset(props.register, {
      state: 'matched',
      feeRules: [{ kind: 'percent', basisPoints: 500, rows: 20, isKept: true }],
      totals: [{ category: 'FEE_INCLUDED', cases: 20 }],
    })
  })

  test('a fee rule is decided once, and the matching is asked for again', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(20)
    const lines = await Promise.all(orders.map((id) => lineOf(id, { tenge: '12600' })))
    const registerId = await matchedRegister(partner, fileOf(...lines))
    const matchingsOf = () =>
      rows(
        `SELECT id FROM settlement_runs WHERE partner_id = ? AND kind = 'match_register'`,
        partner.id
      )
    assert.lengthOf(await matchingsOf(), 1)
    const version = await versionOf(registerId)
    const decide = (place: number) =>
      new DecideFeeRule().handle({ registerId, version, place, isKept: true, ...ASKER })
    assert.deepInclude(await refusalOf(decide(7)), { refusalCode: 'NO_SUCH' })
    const decided = await Promise.all([refusalOf(decide(0)), refusalOf(decide(0))])
    assert.lengthOf(
      decided.filter((refusal) => refusal?.refusalCode === 'STALE'),
      1
    )
    // The reading has asked for the first one.
    assert.lengthOf(await matchingsOf(), 2)
    const [{ change }] = await rows(
      `SELECT change FROM journal WHERE partner_id = ? AND name = 'register_fee_rule_decided'`,
      partner.id
    )
    const rule = { kind: 'percent', basisPoints: 500 }
    assert.deepInclude(change as object, { rule, is_kept: true })
  })

  for (const [how, rounded] of [
    ['to 15 digits', (digits: string) => `${digits}00000`],
    ['to 17 digits', (digits: string) => `${digits}12000`],
    [
      'to 6 digits',
      (digits: string) => Number(`${digits}00000`).toExponential(5).toUpperCase().replace('.', ','),
    ],
  ] as const)
    test(`payment ids of 20 digits that a spreadsheet rounded ${how} are matched by day and sum`, async ({
      assert,
    }) => {
      const { partner, client, event } = await aSale()
      const orderOf = async (seat: string, payment: string) => {
        const booking = dataOf(await book(client, event.id, [seat]))
        const placed = dataOf(await order(client, booking.booking_id))
        const paid = paymentOf(placed.total_tenge, { external_payment_id: payment })
        await confirm(client, placed.order_id, paid)
        return placed.order_id as string
      }
      const digits = String(Date.now()) + String(partner.id).padStart(2, '0').slice(-2)
      const pair = [
        await orderOf('seat-2-1', `${digits}12345`),
        await orderOf('seat-2-2', `${digits}12367`),
      ]
      const line = await lineOf(pair[0], { key: '', payment: rounded(digits) })
      const registerId = await matchedRegister(partner, fileOf(line, line))
      assert.deepEqual(await matchesOf(registerId), [
        `MATCHED SUGGESTED_BY_ID [2,3] ${pair.toSorted().join(',')}`,
      ])
      assert.deepEqual(await verdictsOf(registerId), [
        { category: 'MATCHED', why: 'IDS_LOST_DIGITS' },
      ])
      await decideMatches(registerId, { decision: 'accepted' })
      await confirmRegister(registerId)
      await refreshDefects(partner)
      assert.deepEqual(await exposuresOf(partner), [])
    })

  test('a refund matches an order with a void and differs from an order without', async ({
    assert,
  }) => {
    const { partner, client, orders } = await saleOfOrders(2)
    const tickets = await rows('SELECT id FROM tickets WHERE order_id = ?', orders[0])
    await refund(client, orders[0], [tickets[0].id as string])
    const lines = await Promise.all(
      orders.flatMap((id) => [lineOf(id), lineOf(id, { tenge: '-12000' })])
    )
    const registerId = await matchedRegister(partner, fileOf(...lines))
    assert.deepEqual(await categoriesOf(registerId), ['MATCHED', 'REFUND_DIFF'])
  })

  test('a weekly register matches alike before and after the statement of the month is issued', async ({
    assert,
  }) => {
    const { partner, client, orders } = await saleOfOrders(3)
    await setTerms(partner)
    await moveInTime(partner, '-3 days')
    await refund(client, orders[0], await ticketsOf(orders[0]))
    await moveInTime(partner, '-1 minute')
    const { noon, days } = aWeek()
    await moveInTime(partner, `-${Math.floor((Date.now() - noon.getTime()) / 1000)} seconds`)
    const returned = await lineOf(orders[0], { tenge: '-12000' })
    const registerId = await matchedRegister(partner, fileOf(returned), days)
    const before = await verdictsOf(registerId)
    assert.deepEqual(before, [{ category: 'MATCHED', why: 'REFUND_OF_EARLIER_SALE' }])
    await new IssueStatement().handle({ partnerCode: partner.code, actor: TESTER })
    await matchAgain(registerId)
    assert.deepEqual(await verdictsOf(registerId), before)
  })

  test('each of two registers matches the refunds of its own days of one order', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    const [first, second] = await ticketsOf(orderId)
    await refund(sale.client, orderId, [first])
    await moveInTime(sale.partner, '-7 days')
    const lines = [await lineOf(orderId), await lineOf(orderId, { tenge: '-12000' })]
    const [from, middle, to] = [-10, -5, 1].map(midnight)
    const earlier = await matchedRegister(sale.partner, fileOf(...lines), { from, to: middle })
    await refund(sale.client, orderId, [second])
    const later = await matchedRegister(sale.partner, fileOf(lines[1]), { from: middle, to })
    const found = [...(await verdictsOf(earlier)), ...(await verdictsOf(later))]
    assert.deepEqual(found, [
      { category: 'MATCHED', why: null },
      { category: 'MATCHED', why: 'REFUND_OF_EARLIER_SALE' },
    ])
  })

  test('a match is found by its order number, payment id, order id or line', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(3)
    const registerId = await matchedRegister(
      partner,
      fileOf(await lineOf(orders[0]), await lineOf(orders[1]))
    )
    const { key, payment } = await partnerFieldsOf(orders[1])
    const none = { category: null, step: null, decision: null, owner: null }
    for (const q of [key, payment, orders[1], '3']) {
      const { rows: found } = await listMatches(registerId, { ...none, q, before: null }, 'me')
      assert.deepEqual(
        found.map(({ orders: ours }) => ours.map(({ id }) => id)),
        [[orders[1]]],
        q
      )
    }
  })
})

test('the list of registers counts rows that differ, and orders that a register lacks', async ({
  assert,
}) => {
  const { partner, orders } = await saleOfOrders(4)
  const [here, dearer] = orders
  await matchedRegister(
    partner,
    fileOf(await lineOf(here), await lineOf(dearer, { tenge: '15000' }))
  )
  const finance = await signedIn(await aStaffMember('finance'))
  const { props } = await finance.get(`/settlement/${partner.code}/registers`)
  assert.containSubset(props.registers, [{ rows: 2, differing: 3 }])
})
