import { keepEvidence, readingPeriod, readStories, type Story } from '#defects/facts/read_stories'
import { paymentOf } from '#tests/support/fixtures'
import { confirm } from '#tests/support/operations'
import { refreshDefects } from '#tests/support/cases'
import { daysAgo, exposuresOf, noonOn } from '#tests/support/register_defects'
import {
  confirmedRegister,
  confirmRegister,
  decideMatches,
  fileOf,
  lineOf,
  matchedRegister,
  partnerFieldsOf,
  refusalOf,
  saleOfOrders,
} from '#tests/support/registers'
import { ownerRows, rows } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const SEEDS = [3, 9, 10]
const ORDERS = 18
const MONTHS = 4
const DAY_MS = 86_400_000
const DAYS = 30
const ALL = daysAgo(MONTHS * DAYS + 60, -1)

const PAYMENTS = 16
/** Of an order that nobody has sold: latin, Cyrillic, and as a spreadsheet leaves it. */
const SPELLINGS = ['o-', 'о-', "'O-"]

type Sale = Awaited<ReturnType<typeof saleOfOrders>>

/** Months of orders, and registers of two sources that show them rightly, wrongly, again and in other months. */
async function confusedMonths(seed: number): Promise<Sale> {
  const next = dice(seed)
  const sale = await saleOfOrders(ORDERS)
  const { partner, orders } = sale
  const soldDaysAgo = new Map<string, number>()
  for (const [n, id] of orders.entries()) {
    // A cart of two orders that are a day apart.
    const isOfCart = n > 0 && n % 6 === 0
    const days = isOfCart ? soldDaysAgo.get(orders[n - 1])! - 1 : 6 + next(MONTHS * DAYS - 10)
    soldDaysAgo.set(id, days)
    await moveOrder(id, days)
    if (isOfCart) {
      const { payment } = await partnerFieldsOf(orders[n - 1])
      await payWith(id, payment)
    }
  }
  for (let month = 0; month < MONTHS; month++)
    for (const sourceName of ['Эквайер', 'Магазин']) {
      const days = { first: (MONTHS - month) * DAYS, last: (MONTHS - month - 1) * DAYS }
      const lines: string[] = []
      for (const id of orders) {
        const sold = soldDaysAgo.get(id)!
        const isOfDays = sold <= days.first && sold > days.last
        lines.push(...(await linesOf(id, isOfDays, next)))
      }
      for (let n = 0; n < 3; n++) {
        const day = noonOn(-days.last - 1 - next(DAYS - 1))
        const name = `${SPELLINGS[next(SPELLINGS.length)]}${next(8)}`
        lines.push(`${name};pay-u-${next(PAYMENTS)};${day};7000;Оплата`)
      }
      const period = daysAgo(days.first, days.last)
      const registerId = await matchedRegister(partner, fileOf(...lines), { ...period, sourceName })
      for (const category of ['MATCHED', 'AMOUNT_DIFF', 'AMBIGUOUS', 'MISSING_AT_PLATFORM']) {
        const decision = next(2) === 0 ? 'accepted' : 'rejected'
        await refusalOf(decideMatches(registerId, { decision }, category))
      }
      await refusalOf(decideMatches(registerId, { decision: 'accepted' }))
      await confirmRegister(registerId, { waiver: { reason: 'a confused register' } })
    }
  return sale
}

async function linesOf(id: string, isOfDays: boolean, next: (sides: number) => number) {
  const { key } = await partnerFieldsOf(id)
  const line = (more: object = {}) => lineOf(id, more)
  if (!isOfDays) {
    switch (next(14)) {
      case 0:
        return [await line()]
      case 1:
        return [await line({ payment: `pay-second-${next(PAYMENTS)}` })]
      case 2:
        return [await line({ tenge: '-12000' })]
      default:
        return []
    }
  }
  switch (next(11)) {
    case 0:
      return []
    case 1:
      return [await line({ tenge: '13000' })]
    case 2:
      return [await line({ key: key.toUpperCase(), payment: '' })]
    case 3:
      return [await line(), await line()]
    case 4:
      return [await line(), await line({ payment: `pay-second-${next(PAYMENTS)}` })]
    case 5:
      // Agrees with us, but for the payment: another row may have it.
      return [await line({ payment: `pay-u-${next(PAYMENTS)}` })]
    case 6:
      return [await line(), await line({ tenge: '-12000' })]
    default:
      return [await line()]
  }
}

const asReplica = `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))`

async function moveOrder(id: string, days: number) {
  for (const [table, key, columns] of [
    ['orders', 'id', ['created_at', 'confirmed_at', 'window_ends_at', 'payment_paid_at']],
    ['confirm_attempts', 'order_id_sent', ['received_at', 'paid_at', 'window_ends_at']],
    ['ledger_movements', 'source', ['effective_at']],
  ] as const) {
    const moved = columns.map((name) => `${name} = ${name} - ?::interval`).join(', ')
    const by = columns.map(() => `${days} days`)
    await ownerRows(
      `${asReplica} UPDATE ${table} SET ${moved} FROM free WHERE ${key} = ?`,
      ...by,
      id
    )
  }
}

async function payWith(orderId: string, payment: string) {
  await ownerRows(
    `${asReplica} UPDATE orders SET payment_external_id = ? FROM free WHERE id = ?`,
    payment,
    orderId
  )
  await ownerRows(
    `${asReplica} UPDATE confirm_attempts SET external_payment_id = ? FROM free WHERE order_id_sent = ?`,
    payment,
    orderId
  )
}

/** Stories by their keys: their members, and what registers show and lack of them. */
async function storiesOf({ partner }: Sale, period: { from: Date; to: Date }) {
  const found = new Map<string, { moments: number[]; text: string }>()
  const story = ({ key, members, facts }: Story) => {
    const { orders, registerRows, missingOrders } = facts
    const evidence = [
      members.toSorted(),
      orders.map(({ id }) => id).toSorted(),
      registerRows.map(asText).toSorted(),
      missingOrders.map(asText).toSorted(),
    ]
    found.set(key, {
      moments: orders.map(({ createdAt }) => createdAt),
      text: JSON.stringify(evidence, null, 1),
    })
  }
  const scope = { partnerId: partner.id, ...period, asOf: new Date(), withOlder: false }
  await keepEvidence(partner.id)
  await readingPeriod((trx) => readStories(scope, { story }, trx))
  return found
}

const asText = (value: object) =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))

/** Cases of confirmed registers that agree with us and are not kept, although a kept case is of the same order. */
const ordinaryCasesMissed = (partner: { id: number }) =>
  rows(
    `SELECT DISTINCT c.id FROM partner_register_evidence_keys k
       JOIN partner_register_case_orders o ON o.order_id = k.key JOIN partner_register_cases c ON c.id = o.case_id
       JOIN partner_registers r ON r.id = c.register_id AND r.state = 'confirmed'
      WHERE k.partner_id = ? AND k.kind = 'order' AND c.category = 'MATCHED'
        AND NOT EXISTS (SELECT 1 FROM partner_register_evidence WHERE case_id = c.id)`,
    partner.id
  )

/** As if another form of the code had worked it out last. */
const forgetEvidence = (registerId: number) =>
  ownerRows('UPDATE partner_register_kept_evidence SET form = 0 WHERE register_id = ?', registerId)

/** Everything, and each month and several days of it: stories of a part are those of everything. */
async function compareParts(sale: Sale, next: (sides: number) => number) {
  const all = await storiesOf(sale, ALL)
  const months = Array.from({ length: MONTHS }, (_, n) => daysAgo((n + 1) * DAYS, n * DAYS))
  const someDays = Array.from({ length: 6 }, () => {
    const last = next(MONTHS * DAYS)
    return daysAgo(last + 1 + next(4), last)
  })
  const severalMonths = [...all.values()].filter(({ moments }) => isLong(moments)).length
  let compared = 0
  for (const part of [...months, ...someDays, daysAgo(2, -1)]) {
    const found = await storiesOf(sale, part)
    const [from, to] = [part.from.getTime(), part.to.getTime()]
    const isOfPart = (at: number) => at >= from && at < to
    for (const [key, { moments }] of all)
      if (moments.some(isOfPart) && !found.has(key)) throw new Error(`${key} is not found`)
    for (const [key, { text }] of found) {
      const expected = all.get(key)?.text ?? ''
      if (text !== expected)
        throw new Error(`${key} from ${part.from.toISOString()}: ${differences(text, expected)}`)
      compared++
    }
  }
  return { compared, severalMonths }
}

function differences(text: string, expected: string) {
  const [found, wanted] = [text, expected].map((all) => new Set(all.split('\n')))
  return `more: ${[...found.difference(wanted)].join()}; less: ${[...wanted.difference(found)].join()}`
}

const isLong = (moments: number[]) => Math.max(...moments) - Math.min(...moments) > DAYS * DAY_MS

test.group('Evidence of a part of the time', () => {
  test('the payment of a new order leads to a row of an earlier register', async ({ assert }) => {
    const sale = await saleOfOrders(1)
    const { partner, orders } = sale
    const file = fileOf(`o-1;pay-9;${noonOn(-40)};12000;Оплата`)
    const registerId = await matchedRegister(partner, file, daysAgo(50, 30))
    await confirmRegister(registerId, { waiver: { reason: 'a single row' } })
    await payWith(orders[0], 'pay-9')
    const found = await storiesOf(sale, daysAgo(2, -1))
    const [story] = found.values()
    assert.include(story.text, 'o-1')
    assert.include(story.text, orders[0])
  })

  test('what another form of the code has worked out is worked out again', async ({ assert }) => {
    const sale = await saleOfOrders(1)
    const { partner, orders } = sale
    const late = await lineOf(orders[0], { payment: 'pay-again' })
    const registerId = await confirmedRegister(partner, fileOf(await lineOf(orders[0]), late))
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), ['12000 BUYER'])
    await db
      .connection('owner')
      .rawQuery(
        `UPDATE partner_register_evidence SET shown = jsonb_set(shown::jsonb, '{rows}', '[]') WHERE register_id = ?`,
        [registerId]
      )
    await forgetEvidence(registerId)
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), ['12000 BUYER'])
    const [{ keys }] = await rows(
      `SELECT count(*)::int AS keys FROM (
         SELECT case_id, kind, key FROM partner_register_evidence_keys WHERE partner_id = ?
          GROUP BY case_id, kind, key, at HAVING count(*) > 1) twice`,
      partner.id
    )
    assert.equal(keys, 0)
  })

  for (const isLater of [true, false])
    test(`a row that agrees with us is found by a differing one of ${isLater ? 'a later' : 'an earlier'} register`, async ({
      assert,
    }) => {
      const sale = await saleOfOrders(2)
      const { partner, orders } = sale
      const others = await lineOf(orders[1])
      const agreeing = { sourceName: 'Магазин', file: fileOf(await lineOf(orders[0]), others) }
      const tooMuch = await lineOf(orders[0], { tenge: '13000' })
      const differing = { sourceName: 'Эквайер', file: fileOf(tooMuch, others) }
      for (const one of isLater ? [agreeing, differing] : [differing, agreeing]) {
        const { file, sourceName } = one
        const registerId = await matchedRegister(partner, file, { sourceName })
        await confirmRegister(registerId, { waiver: { reason: 'two registers' } })
        await keepEvidence(partner.id)
      }
      const stories = await storiesOf(sale, daysAgo(2, -1))
      const { text } = stories.get(orders[0])!
      assert.include(text, '13000')
      assert.include(text, '12000')
      assert.deepEqual(await ordinaryCasesMissed(partner), [])
      const [{ kept }] = await rows(
        `SELECT count(*)::int AS kept FROM partner_register_evidence e JOIN partner_registers r ON r.id = e.register_id
          WHERE r.partner_id = ?`,
        partner.id
      )
      // Not those of the other order: nothing but other ordinary cases leads to it.
      assert.equal(kept, 2)
    })

  for (const seed of SEEDS)
    test(`is that of everything, as far as it reaches: seed ${seed}`, async ({ assert }) => {
      const sale = await confusedMonths(seed)
      const next = dice(seed + 100)
      const before = await compareParts(sale, next)
      assert.isAbove(before.compared, 10)
      assert.isAbove(before.severalMonths, 0)
      assert.deepEqual(await ordinaryCasesMissed(sale.partner), [])
      // Payments that earlier registers have shown are sent again, and pay other orders.
      const [first, second, third] = sale.orders
      await payWith(first, 'pay-u-1')
      await payWith(second, 'pay-second-1')
      await confirm(sale.client, third, paymentWithId('pay-u-2'))
      await confirm(sale.client, 'o-99', paymentWithId('pay-u-3'))
      const after = await compareParts(sale, next)
      assert.isAbove(after.compared, 10)
    })

  test('does not depend on when each register was kept', async ({ assert }) => {
    const sale = await confusedMonths(SEEDS[0])
    const { partner } = sale
    const atOnce = await storiesOf(sale, ALL)
    const registers = await rows(
      'SELECT id FROM partner_registers WHERE partner_id = ? ORDER BY id DESC',
      partner.id
    )
    // One after the other, the newest first.
    for (const { id } of registers) {
      await forgetEvidence(id as number)
      await keepEvidence(partner.id)
    }
    assert.deepEqual(await storiesOf(sale, ALL), atOnce)
    assert.deepEqual(await ordinaryCasesMissed(partner), [])
  })
})

function paymentWithId(id: string) {
  const payment = paymentOf(12_000)
  payment.payment_info.external_payment_id = id
  return payment
}

/** Equal numbers for equal seeds (mulberry32). */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}
