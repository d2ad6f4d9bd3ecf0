import { exposureOf } from '#defects/cases/open_exposure'
import type { ExposureTenge } from '#defects/facts/exposure'
import { aSale, anEvent, grant, paymentOf, uniqueKey } from '#tests/support/fixtures'
import { cancelEvent } from '#tests/support/circumstances'
import { confirm, refund } from '#tests/support/operations'
import {
  daysAgo,
  expiredOrderOf,
  minutesAfter,
  noonOn,
  pendingOrderOf,
  refreshLastDays,
  withoutZeros,
} from '#tests/support/register_defects'
import {
  confirmRegister,
  mapColumns,
  partnerFieldsOf,
  readAndMatch,
  setUpSource,
  soldOrderOf,
  ticketsOf,
  upload,
} from '#tests/support/registers'
import { rows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { bookOfSheets } from '#tests/support/workbook_file'
import { test } from '@japa/runner'

type Sale = Awaited<ReturnType<typeof aSale>>
const TICKET = 12_000
/** Rows of seats by their price: 45,000, 12,000 and 9,000. */
const [VIP, STANDARD, FAN] = [1, 2, 4]
/** Late orders have one after the other. */
const FREED = 'seat-3-10'

/** What really happened to one payment, as an honest partner knows it. */
interface Fact {
  key: string
  payment: string
  charged: number
  returned?: number
  /** The charge was declined, or its return was. */
  declined?: 'charge' | 'return'
  /** The day on which it is shown, from today. */
  on?: number
}
interface Story {
  name: string
  orders: string[]
  facts: Fact[]
  /** Money at risk once a complete register of these facts is confirmed. */
  expected: Record<string, number>
}

/** Every story has orders and payments of its own; all of them are in one register. */
async function storiesOf(sale: Sale): Promise<Story[]> {
  const taken = { [VIP]: 0, [STANDARD]: 0, [FAN]: 0 }
  const seats = (count: number, row = STANDARD) =>
    Array.from({ length: count }, () => {
      const seat = taken[row]++
      return `seat-${row + Math.floor(seat / 10)}-${1 + (seat % 10)}`
    })
  const sold = async (count = 1) => {
    const id = await soldOrderOf(sale, seats(count))
    const { key, payment } = await partnerFieldsOf(id)
    return { id, key, payment, tenge: count * TICKET }
  }
  const giveBack = async (id: string, count?: number) => {
    const tickets = await ticketsOf(id)
    await refund(sale.client, id, tickets.slice(0, count))
  }
  const late = async () => {
    const id = await expiredOrderOf(sale, FREED)
    const body = paymentOf(TICKET)
    await confirm(sale.client, id, body)
    const { key } = await partnerFieldsOf(id)
    return { id, key, body, payment: body.payment_info.external_payment_id as string }
  }
  const cart = async () => {
    const body = paymentOf(TICKET)
    const orders: Awaited<ReturnType<typeof partnerFieldsOf>>[] = []
    for (const seat of seats(2)) {
      const id = await pendingOrderOf(sale, [seat])
      await confirm(sale.client, id, body)
      orders.push(await partnerFieldsOf(id))
    }
    return { orders, ids: orders.map(({ id }) => id), payment: orders[0].payment }
  }
  const stories: Story[] = []
  const add = (name: string, orders: string[], expected: Story['expected'], ...facts: Fact[]) =>
    stories.push({ name, orders, facts, expected })

  const plain = await sold()
  add('sold', [plain.id], {}, { ...plain, charged: TICKET })

  const whole = await sold()
  await giveBack(whole.id)
  add('refunded', [whole.id], {}, { ...whole, charged: TICKET, returned: TICKET })

  const part = await sold(2)
  await giveBack(part.id, 1)
  add('partly refunded', [part.id], {}, { ...part, charged: 2 * TICKET, returned: TICKET })

  const kept = await sold()
  await giveBack(kept.id)
  add('refunded, not returned', [kept.id], { buyer: TICKET }, { ...kept, charged: TICKET })

  const expired = await late()
  add('late', [expired.id], { buyer: TICKET }, { ...expired, charged: TICKET })

  const expiredBack = await late()
  add(
    'late and returned',
    [expiredBack.id],
    {},
    {
      ...expiredBack,
      charged: TICKET,
      returned: TICKET,
    }
  )

  const live = await sold()
  add(
    'valid and returned',
    [live.id],
    { platform: TICKET },
    {
      ...live,
      charged: TICKET,
      returned: TICKET,
    }
  )

  const lacking = await sold()
  add('lacking', [lacking.id], { platform: TICKET })

  const twice = await sold()
  const second = { ...twice, payment: uniqueKey('second') }
  add(
    'charged twice',
    [twice.id],
    { buyer: TICKET },
    { ...twice, charged: TICKET },
    { ...second, charged: TICKET }
  )

  const twiceBack = await sold()
  const secondBack = { ...twiceBack, payment: uniqueKey('second') }
  add(
    'charged twice, returned once',
    [twiceBack.id],
    {},
    { ...twiceBack, charged: TICKET },
    { ...secondBack, charged: TICKET, returned: TICKET }
  )

  const both = await cart()
  add(
    'cart',
    both.ids,
    {},
    {
      key: both.orders[0].key,
      payment: both.payment,
      charged: 2 * TICKET,
    }
  )

  const halved = await cart()
  await giveBack(halved.ids[1])
  add(
    'cart, half refunded',
    halved.ids,
    {},
    {
      key: halved.orders[0].key,
      payment: halved.payment,
      charged: 2 * TICKET,
      returned: TICKET,
    }
  )

  const unreturned = await cart()
  await giveBack(unreturned.ids[1])
  add(
    'cart, half refunded and not returned',
    unreturned.ids,
    { buyer: TICKET },
    {
      key: unreturned.orders[0].key,
      payment: unreturned.payment,
      charged: 2 * TICKET,
    }
  )

  const failed = await sold()
  add(
    'charge declined',
    [failed.id],
    { platform: TICKET },
    {
      ...failed,
      charged: TICKET,
      declined: 'charge',
    }
  )

  const denied = await late()
  add(
    'late, return declined',
    [denied.id],
    { buyer: TICKET },
    {
      ...denied,
      charged: TICKET,
      returned: TICKET,
      declined: 'return',
    }
  )

  const dearer = await sold()
  add('charged too much', [dearer.id], { buyer: 1_000 }, { ...dearer, charged: TICKET + 1_000 })

  const cheaper = await sold()
  add(
    'charged too little',
    [cheaper.id],
    { platform: 1_000 },
    {
      ...cheaper,
      charged: TICKET - 1_000,
    }
  )

  const more = await late()
  add(
    'late, too much returned',
    [more.id],
    { platform: 1_600 },
    {
      ...more,
      charged: TICKET,
      returned: TICKET + 1_600,
    }
  )

  const again = await late()
  const retry = await pendingOrderOf(sale, [FREED])
  await confirm(sale.client, retry, again.body)
  const retried = await partnerFieldsOf(retry)
  add('late, then accepted', [again.id, retry], {}, { ...retried, charged: TICKET })

  const other = await anEvent()
  await grant(sale.partner, other)
  const [off, offBack] = [
    await soldOrderOf({ ...sale, event: other }, ['seat-2-1']),
    await soldOrderOf({ ...sale, event: other }, ['seat-2-2']),
  ]
  await cancelEvent(other)
  add(
    'event cancelled',
    [off],
    { buyer: TICKET },
    { ...(await partnerFieldsOf(off)), charged: TICKET }
  )
  add(
    'event cancelled, returned',
    [offBack],
    {},
    {
      ...(await partnerFieldsOf(offBack)),
      charged: TICKET,
      returned: TICKET,
    }
  )

  const nameless = (charged: number) => ({ key: '', payment: '', charged })
  const ofOneRow = [await soldOrderOf(sale, seats(1, VIP)), await soldOrderOf(sale, seats(1, VIP))]
  add('one nameless row for two orders', ofOneRow, { platform: 45_000 }, nameless(45_000))

  const ofThreeRows = [
    await soldOrderOf(sale, seats(1, FAN)),
    await soldOrderOf(sale, seats(1, FAN)),
  ]
  const three = [nameless(9_000), nameless(9_000), nameless(9_000)]
  add('three nameless rows for two orders', ofThreeRows, { buyer: 9_000 }, ...three)

  add(
    'unknown',
    [],
    { buyer: 7_000 },
    {
      key: uniqueKey('stranger'),
      payment: uniqueKey('stranger'),
      charged: 7_000,
    }
  )
  return stories
}

interface Style {
  setup: Parameters<typeof setUpSource>[1]
  linesOf: (fact: Fact) => string[]
  header: string
  isWorkbook?: boolean
}

const OPERATIONS = 'Номер заказа;ID платежа;Дата оплаты;Сумма;Тип операции;Статус'

const operations =
  (amount: (tenge: number) => string) =>
  ({ key, payment, charged, returned = 0, declined, on = 0 }: Fact) => {
    const at = noonOn(on)
    const charge = [key, payment, at, amount(charged), 'Оплата']
    const back = [key, payment, minutesAfter(at, 30), amount(-returned), 'Возврат']
    const lines = charged > 0 ? [[...charge, declined === 'charge' ? 'Отклонено' : 'Успешно']] : []
    if (returned > 0) lines.push([...back, declined === 'return' ? 'Отменён' : 'Успешно'])
    return lines.map((cells) => cells.join(';'))
  }

const STYLES: Record<string, Style> = {
  operations: { setup: {}, header: OPERATIONS, linesOf: operations(String) },
  tiyn: {
    setup: { unit: 'tiyn' },
    header: OPERATIONS,
    linesOf: operations((tenge) => String(tenge * 100)),
  },
  net: {
    setup: { amountsAre: 'net' },
    header: 'Номер заказа;ID платежа;Дата оплаты;Сумма;Комиссия;Тип операции;Статус',
    linesOf: operations((tenge) => `${tenge - tenge / 20};${tenge / 20}`),
    isWorkbook: true,
  },
  tickets: {
    setup: { rowIs: 'ticket' },
    header: OPERATIONS,
    linesOf: ({ charged, returned = 0, ...fact }) => {
      const single = charged % TICKET === 0 ? TICKET : charged
      const charges = Array.from({ length: charged / single }, () =>
        operations(String)({ ...fact, charged: single })
      )
      if (returned === 0) return charges.flat()
      const [, back] = operations(String)({ ...fact, charged: single, returned })
      return [...charges.flat(), back]
    },
  },
  states: {
    setup: { rowsShow: 'states' },
    header: 'Номер заказа;ID платежа;Дата оплаты;Сумма;Статус;Возвращено',
    linesOf: ({ key, payment, charged, returned = 0, declined }) => {
      const state =
        declined === 'charge'
          ? 'Отклонён;'
          : declined === 'return'
            ? 'Возврат отклонён;'
            : returned === 0
              ? 'Оплачен;'
              : returned < charged
                ? `Частично возвращён;${returned}`
                : `Возвращён;${returned}`
      return [`${key};${payment};${noonOn(0)};${charged};${state}`]
    },
    isWorkbook: true,
  },
}

/** A register of some facts; without a name of its own it is the shop's. */
interface Shown {
  facts: Fact[]
  bank?: Style['setup']
  covers?: Style['setup']
  days?: ReturnType<typeof daysAgo>
}

const withoutReturns = (facts: Fact[]) => facts.map(({ returned, ...fact }) => fact)
const returnsOf = (facts: Fact[]) =>
  facts.flatMap((fact) => (fact.returned ? [{ ...fact, charged: 0 }] : []))

/** Each payment is called as the next one is: a bank's own numbers may be those of other payments. */
function renumbered(facts: Fact[]): Fact[] {
  const ids = facts.flatMap(({ payment }) => payment || [])
  return facts.map((fact) => {
    const place = ids.indexOf(fact.payment)
    return place < 0 ? fact : { ...fact, payment: ids[(place + 1) % ids.length] }
  })
}

/** How registers share the facts. The shop writes them in the style of the test, its bank writes operations. */
const SHARES: Record<string, (facts: Fact[]) => Shown[]> = {
  'in one register': (facts) => [{ facts }],
  'in another source with the same numbers, too': (facts) => [
    { facts },
    { facts: facts.toReversed(), bank: {} },
  ],
  'in another source without order numbers, too': (facts) => [
    { facts },
    { facts: facts.map((fact) => ({ ...fact, key: '' })), bank: {} },
  ],
  'in another source with payment numbers of its own, too': (facts) => [
    { facts },
    { facts: renumbered(facts), bank: { paymentIdsAre: 'own' } },
  ],
  'in a source of sales and one of returns': (facts) => [
    { facts: withoutReturns(facts), covers: { coversRefunds: false } },
    { facts: returnsOf(facts), bank: { coversSales: false } },
  ],
  // The second charge of an order stands alone in the other register.
  'in a source of cards and one of wallets': (facts) => {
    const keys = [...new Set(facts.map(({ key }) => key))]
    const isCard = ({ key, payment }: Fact) =>
      key === '' || (keys.indexOf(key) % 2 === 0) !== payment.startsWith('second')
    return [
      { facts: facts.filter(isCard) },
      { facts: facts.filter((fact) => !isCard(fact)), bank: {} },
    ]
  },
  'in a register that replaces a wrong one': (facts) => [
    {
      facts: facts
        .filter((_, n) => n % 3 > 0)
        .map((fact) => ({ ...fact, charged: fact.charged + 500, returned: fact.charged })),
    },
    { facts },
  ],
  'with their returns in the register of later days': (facts) => [
    {
      facts: withoutReturns(facts).map((fact) => ({ ...fact, on: -4 })),
      days: daysAgo(5, 3),
    },
    { facts: returnsOf(facts).map((fact) => ({ ...fact, on: -1 })), days: daysAgo(3, -1) },
  ],
}

/** Uploads what a register shows as a file, sets its source up and confirms it; it replaces those before of the same days. */
async function confirmedAs(sale: Sale, shown: Shown, shop: Style, replaces: number[]) {
  const { facts, bank, covers, days } = shown
  const style = bank ? STYLES.operations : shop
  const lines = [style.header, ...facts.flatMap(style.linesOf)]
  const content = style.isWorkbook ? bookOfSheets({ Реестр: lines }) : cp1251(lines.join('\r\n'))
  const { registerId } = await upload(sale.partner, content, {
    sourceName: bank ? 'Банк' : 'Магазин',
    fileName: style.isWorkbook ? 'реестр.xlsx' : 'реестр.csv',
    ...days,
  })
  await setUpSource(registerId, { ...style.setup, ...covers, ...bank })
  await mapColumns(registerId)
  await readAndMatch(registerId)
  await confirmRegister(registerId, { replaces, waiver: { reason: 'Проверено' } })
  return registerId
}

const [ONE, SAME, NO_ORDERS, OWN, APART, WALLETS, REPLACED, LATER] = Object.keys(SHARES)
/** Each style and each share. */
const TRIED = [
  ['operations', OWN],
  ['operations', LATER],
  ['operations', WALLETS],
  ['tiyn', APART],
  ['net', NO_ORDERS],
  ['tickets', SAME],
  ['states', ONE],
  ['states', REPLACED],
] as const

const cp1251 = (text: string) =>
  Buffer.from(
    Array.from(text, (letter) => {
      const code = letter.charCodeAt(0)
      if (code < 128) return code
      return letter === 'ё' ? 0xb8 : code - 0x4_10 + 0xc0
    })
  )

async function foundOf(sale: Sale, stories: Story[]) {
  const cases = await rows(
    `SELECT key, order_ids AS orders, ${exposureOf('c')} AS exposure FROM settlement_cases c
      WHERE partner_id = ? AND gone_at IS NULL`,
    sale.partner.id
  )
  return Object.fromEntries(
    stories.map(({ name, orders, facts }) => {
      const own = cases.filter(
        ({ key, orders: ids }) =>
          orders.some((id) => (ids as string[]).includes(id)) ||
          facts.some((fact) => fact.key === key || fact.payment === key)
      )
      const sums: Record<string, number> = {}
      for (const { exposure } of own)
        for (const [party, tenge] of Object.entries(withoutZeros(exposure as ExposureTenge)))
          sums[party] = (sums[party] ?? 0) + tenge
      return [name, sums]
    })
  )
}

test.group('The same stories, shown', (group) => {
  group.each.timeout(120_000)
  for (const [styleName, shareName] of TRIED)
    test(`as ${styleName}, ${shareName}`, async ({ assert }) => {
      const sale = await aSale()
      await setTerms(sale.partner, { refundEvidenceDays: 0, allowsCombinedPayments: true })
      const stories = await storiesOf(sale)
      const registers = SHARES[shareName](stories.flatMap(({ facts }) => facts))
      if (registers[0].days) await moveInTime(sale.partner, '-4 days')
      const confirmed: number[] = []
      for (const shown of registers) {
        confirmed.push(await confirmedAs(sale, shown, STYLES[styleName], confirmed))
        await refreshLastDays(sale.partner, 7)
      }
      const expected = Object.fromEntries(stories.map((one) => [one.name, one.expected]))
      assert.deepEqual(await foundOf(sale, stories), expected)
    })
})
