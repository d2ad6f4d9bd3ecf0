import { balanceOf, type Balance } from '#defects/balance/balance'
import { explainBalance, fromStored, MOST_PAYMENTS } from '#defects/balance/explained'
import { NO_EXPOSURE } from '#defects/facts/exposure'
import { CONFIRMS, type Component, type ShownMoney } from '#defects/balance/component'
import type { SourcesSharingIds } from '#defects/facts/sources_sharing_ids'
import { toJson } from '#shared/to_json'
import { atLeastZero, max, sum } from '#shared/tenge'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'

const DAY = 86_400_000
const K = 12_000

/** order → its total and the price of its valid tickets. */
type Orders = Record<string, [total: number, valid: number]>
type Confirmed = [orders: string[], payment: string | null, tenge: number][]
/** Positive: charged; negative: returned. */
type Row = [order: string | string[] | null, payment: string | null, tenge: number]

const money = (source: string, [orders, paymentId, tenge]: Row): ShownMoney => ({
  source,
  kind: tenge > 0 ? 'charge' : 'return',
  tenge: BigInt(Math.abs(tenge)),
  paymentId,
  // Evidence names a row of no order by its payment.
  orderIds: orders === null ? [paymentId ?? 'no-id'] : [orders].flat(),
  at: tenge > 0 ? DAY : 2 * DAY,
})

function component(
  orders: Orders,
  confirmed: Confirmed,
  sources: Record<string, Row[]> = {},
  missing: string[] = []
): Component {
  return {
    orders: Object.entries(orders).map(([id, [total, valid]]) => ({
      id,
      soldTenge: BigInt(total),
      paymentId: total > 0 ? (confirmed.find(([own]) => own.includes(id))?.[1] ?? null) : null,
      validTenge: BigInt(valid),
      notYetDueTenge: 0n,
      usedVoidTenge: 0n,
    })),
    money: [
      ...confirmed.map((one) => money(CONFIRMS, one)),
      ...Object.entries(sources).flatMap(([source, rows]) => rows.map((one) => money(source, one))),
    ],
    missingOrders: missing.map((one) => {
      const [orderId, source = 'shop'] = one.split(' at ')
      return { source, orderId }
    }),
    sourcesSharingIds: new Map(),
  }
}

const exposureOf = (...given: Parameters<typeof component>) => {
  const { buyer, platform, partner } = balanceOf(component(...given)).exposure
  return [buyer, platform, partner].map(Number)
}

const one: Orders = { 1: [K, K] }
const late: Orders = { 1: [0, 0] }
const two: Orders = { 1: [K, K], 2: [K, K] }
const A: Confirmed = [[['1'], 'A', K]]
const AB: Confirmed = [
  [['1'], 'A', K],
  [['2'], 'B', K],
]
const CART: Confirmed = [[['1', '2'], 'A', 2 * K]]
const FOUR: Orders = { 1: [K, K], 2: [K, K], 3: [K, K], 4: [K, K] }
const SHARED: Confirmed = [[['1', '2', '3', '4'], 'A', K]]
const TWO_SUMS: Orders = { 1: [24_000, 24_000], 2: [12_000, 12_000] }
const OF_TWO_SUMS: Confirmed = [
  [['1'], 'A', 24_000],
  [['2'], 'B', 12_000],
]
const OF_1: Row = ['1', 'A', K]
const OF_2: Row = ['2', 'B', K]
const EITHER: Row = [['1', '2'], null, K]

const STORIES: [
  story: string,
  given: Parameters<typeof component>,
  expected: [buyer: number, platform: number, partner: number],
][] = [
  ['a sale', [one, A], [0, 0, 0]],
  [
    '… and a bank shows less under a number of its own',
    [one, A, { bank: [['1', 'R7', K - 1_000]] }],
    [0, 1_000, 0],
  ],
  ['charged, and the order had expired', [late, A], [K, 0, 0]],
  ['… and returned', [late, A, { shop: [OF_1, ['1', 'A', -K]] }], [0, 0, 0]],
  [
    '… and returned under an id of its own',
    [late, A, { shop: [OF_1, ['1', 'R7', -K]] }],
    [0, 0, 0],
  ],
  ['… only the return is in a register', [late, A, { shop: [['1', 'A', -K]] }], [0, 0, 0]],
  ['… and accepted for a new order', [{ ...late, 2: [K, K] }, [[['1', '2'], 'A', K]]], [0, 0, 0]],
  [
    'a row of 12,000 ₸ with the number of one order and the payment of another one fills what is left of both',
    [TWO_SUMS, OF_TWO_SUMS, { shop: [[['1', '2'], 'B', 12_000]] }],
    [0, 24_000, 0],
  ],
  [
    'a row of 20,000 ₸ with the number of one order and the payment of another one fills what is left of both',
    [TWO_SUMS, OF_TWO_SUMS, { shop: [[['1', '2'], 'B', 20_000]] }],
    [0, 16_000, 0],
  ],
  [
    'a row of 24,000 ₸ with the number of one order and the payment of another one fills what is left of both',
    [TWO_SUMS, OF_TWO_SUMS, { shop: [[['1', '2'], 'B', 24_000]] }],
    [0, 12_000, 0],
  ],
  [
    'a row of 40,000 ₸ with the number of one order and the payment of another one fills what is left of both',
    [TWO_SUMS, OF_TWO_SUMS, { shop: [[['1', '2'], 'B', 40_000]] }],
    [4_000, 0, 0],
  ],
  [
    'three payments of an order that was never paid, and two registers that each lack another return',
    [
      late,
      [],
      {
        cards: [OF_1, ['1', 'B', K], ['1', 'C', K], ['1', 'A', -K], ['1', 'C', -K]],
        refunds: [
          ['1', 'A', -K],
          ['1', 'B', -K],
        ],
      },
    ],
    [0, 0, 0],
  ],
  ['one payment for four orders', [FOUR, SHARED], [0, 3 * K, 0]],
  [
    'a part of a void order went back, under two ids, and a register of refunds repeats one of them',
    [
      { 1: [2 * K, 0] },
      [[['1'], 'A', 2 * K]],
      {
        bank: [
          ['1', 'A', 2 * K],
          ['1', 'A', -K],
        ],
        shop: [
          ['1', 'A', 2 * K],
          ['1', 'R7', -K],
        ],
        refunds: [['1', 'R7', -K]],
      },
    ],
    [K, 0, 0],
  ],
  [
    '… the register shows that all were charged',
    [FOUR, SHARED, { shop: [['1', 'A', 4 * K]] }],
    [0, 0, 0],
  ],
  [
    'a cart in one row that names its first order',
    [FOUR, SHARED, { shop: [[['1', '2', '3', '4'], 'A', 4 * K]] }],
    [0, 0, 0],
  ],
  [
    'a cart under the register’s own id',
    [FOUR, [[['1', '2', '3', '4'], 'A', 4 * K]], { shop: [['1', 'S1', 4 * K]] }],
    [0, 0, 0],
  ],
  ['a register lacks a sale', [one, A, {}, ['1']], [0, K, 0]],
  ['two registers lack the same sale', [one, A, {}, ['1', '1 at bank']], [0, K, 0]],
  [
    'two registers of different days each lack another sale',
    [two, AB, {}, ['1', '2 at bank']],
    [0, 2 * K, 0],
  ],
  ['… of one cart', [two, CART, {}, ['1', '2 at bank']], [0, 2 * K, 0]],
  [
    'one register lacks a sale that another one shows',
    [one, A, { bank: [OF_1] }, ['1']],
    [0, 0, 0],
  ],
  [
    'one shows the first of a cart alone, another one all of it',
    [two, CART, { shop: [['1', 'A', K]], bank: [[['1', '2'], 'A', 2 * K]] }, ['2']],
    [0, 0, 0],
  ],
  [
    'shop and bank show another order each, and lack each other’s',
    [two, AB, { shop: [OF_1], bank: [OF_2] }, ['2', '1 at bank']],
    [0, 0, 0],
  ],
  [
    '… each has its own order, a third register lacks both',
    [two, CART, { shop: [['1', 'A', K]], bank: [['2', 'A', K]] }, ['1 at other', '2 at other']],
    [0, 0, 0],
  ],
  [
    '… each has its own, both with too little',
    [two, CART, { shop: [['1', null, K - 4000]], bank: [['2', null, K - 4000]] }],
    [0, 8000, 0],
  ],
  [
    'cards and wallets lack each other’s orders, and both have one of them',
    [
      { 1: [K, K], 2: [K, K], 3: [K, K] },
      [[['1', '2', '3'], 'A', 3 * K]],
      {
        cards: [
          ['1', 'A', K],
          ['2', 'A', K],
        ],
        wallets: [
          ['2', 'A', K],
          ['3', 'A', K],
        ],
      },
      ['3 at cards', '1 at wallets'],
    ],
    [0, 0, 0],
  ],
  [
    'shop and bank both show less, of different orders',
    [two, AB, { shop: [['1', 'A', K - 4000], OF_2], bank: [OF_1, ['2', 'B', K - 4000]] }],
    [0, 0, 0],
  ],
  [
    'one nameless row for two orders; the bank has one of them and lacks the other one',
    [two, AB, { shop: [EITHER], bank: [OF_1] }, ['2 at bank']],
    [0, K, 0],
  ],
  [
    'one order of a cart went back although its tickets are valid, the other one is lacking',
    [two, CART, { shop: [OF_1, ['1', 'A', -K]] }, ['2']],
    [0, 2 * K, 0],
  ],
  [
    'half of an order is void and went back, the other half is not shown as charged',
    [{ 1: [2 * K, K] }, [[['1'], 'A', 2 * K]], { shop: [OF_1, ['1', 'A', -K]] }],
    [0, K, 0],
  ],
  [
    '… and only the valid half is shown',
    [{ 1: [2 * K, K] }, [[['1'], 'A', 2 * K]], { shop: [OF_1] }],
    [K, 0, 0],
  ],
  [
    'the bank has half of a cart in one row, the shop lacks both orders',
    [two, CART, { bank: [[['1', '2'], 'A', K]] }, ['1', '2']],
    [0, K, 0],
  ],
  [
    'a second charge in nameless rows, and an order that only the bank has',
    [
      { 1: [K, K], 2: [K, K], 3: [K, K] },
      [
        [['1'], 'A', K],
        [['2'], 'B', K],
        [['3'], 'C', K],
      ],
      { shop: [EITHER, EITHER, EITHER], bank: [['3', 'C', K]] },
    ],
    [K, 0, 0],
  ],
  [
    'one payment for two orders, a third one is lacking, of a fourth the money went back',
    [
      FOUR,
      [
        [['1', '2'], 'A', K],
        [['3'], 'C', K],
        [['4'], 'D', K],
      ],
      {
        shop: [
          ['1', 'A', K],
          ['4', 'D', K],
          ['4', 'D', -K],
        ],
      },
      ['3'],
    ],
    [0, 3 * K, 0],
  ],
  [
    'a late payment went back, as shop and bank number it each in its own way',
    [
      late,
      A,
      {
        shop: [OF_1, ['1', 'A', -K]],
        bank: [
          ['1', 'R1', K],
          ['1', 'R1', -K],
        ],
      },
    ],
    [0, 0, 0],
  ],
  [
    'a register lacks a sale, another one shows only its return',
    [one, A, { bank: [['1', 'A', -K]] }, ['1']],
    [0, K, 0],
  ],
  [
    'confirms show a second payment of an order, a register a third one',
    [
      one,
      [
        [['1'], 'A', K],
        [['1'], 'C', K],
      ],
      { shop: [OF_1, ['1', 'D', K]] },
    ],
    [2 * K, 0, 0],
  ],
  [
    'an id of the register’s own for one order, and a payment of another one that confirms know',
    [two, AB, { shop: [['1', 'R1', K], OF_2] }],
    [0, 0, 0],
  ],
  ['two like orders and one nameless row', [two, AB, { shop: [EITHER] }], [0, K, 0]],
  ['… three nameless rows', [two, AB, { shop: [EITHER, EITHER, EITHER] }], [K, 0, 0]],
  ['charged twice', [one, A, { shop: [OF_1, ['1', 'B', K]] }], [K, 0, 0]],
  [
    '… under the register’s own ids',
    [
      one,
      A,
      {
        shop: [
          ['1', 'S1', K],
          ['1', 'S2', K],
        ],
      },
    ],
    [K, 0, 0],
  ],
  [
    '… as shop and bank number it each in its own way',
    [
      one,
      A,
      {
        shop: [
          ['1', 'S1', K],
          ['1', 'S2', K],
        ],
        bank: [
          ['1', 'B1', K],
          ['1', 'B2', K],
        ],
      },
    ],
    [K, 0, 0],
  ],
  [
    '… and a third time with another sum, in a register of another terminal',
    [one, A, { shop: [OF_1, ['1', 'B', K]], bank: [OF_1, ['1', 'C', K - 5000]] }],
    [2 * K - 5000, 0, 0],
  ],
  [
    '… and a register of refunds, which names no payment, shows one return',
    [one, A, { shop: [OF_1, ['1', 'B', K]], refunds: [['1', null, -K]] }],
    [0, 0, 0],
  ],
  [
    'void; shop and bank show the same return, each with an id of its own',
    [{ 1: [K, 0] }, A, { shop: [OF_1, ['1', 'A', -K]], bank: [OF_1, ['1', 'R7', -K]] }],
    [0, 0, 0],
  ],
  [
    '… and a second charge in both',
    [
      { 1: [K, 0] },
      A,
      {
        shop: [OF_1, ['1', 'A', -K], ['1', 'B', K]],
        bank: [OF_1, ['1', 'R7', -K], ['1', 'B', K]],
      },
    ],
    [K, 0, 0],
  ],
  [
    'late, and the register numbers the charge in its own way',
    [late, A, { shop: [['1', 'S1', K]] }],
    [K, 0, 0],
  ],
  [
    '… and the return',
    [
      late,
      A,
      {
        shop: [
          ['1', 'S1', K],
          ['1', 'S1', -K],
        ],
      },
    ],
    [0, 0, 0],
  ],
  [
    'an order that we never had, as shop and bank number it',
    [{}, [], { shop: [['X', 'S1', K]], bank: [['X', 'B1', K]] }],
    [K, 0, 0],
  ],
  [
    '… and a second payment, after the first went back',
    [
      {},
      [],
      {
        shop: [['X', 'P', K]],
        bank: [
          ['X', 'P', -K],
          ['X', 'Q', K],
        ],
      },
    ],
    [K, 0, 0],
  ],
  [
    'two sales in a shop’s nameless rows; the bank shows that one of them was charged twice',
    [
      two,
      AB,
      {
        shop: [EITHER, EITHER],
        bank: [
          ['1', null, K],
          ['1', null, K],
        ],
      },
    ],
    [K, 0, 0],
  ],
  ['… and one went back', [one, A, { shop: [OF_1, ['1', 'B', K], ['1', 'B', -K]] }], [0, 0, 0]],
  ['a valid ticket’s price went back', [one, A, { shop: [OF_1, ['1', 'A', -K]] }], [0, K, 0]],
  ['void tickets, and only the charge is shown', [{ 1: [K, 0] }, A, { shop: [OF_1] }], [K, 0, 0]],
  [
    'void tickets, and only the return is shown',
    [{ 1: [K, 0] }, A, { shop: [['1', 'A', -K]] }],
    [0, 0, 0],
  ],
  [
    'half of an order void',
    [{ 1: [2 * K, K] }, [[['1'], 'A', 2 * K]], { shop: [['1', 'A', 2 * K]] }],
    [K, 0, 0],
  ],
  [
    '… and returned',
    [
      { 1: [2 * K, K] },
      [[['1'], 'A', 2 * K]],
      {
        shop: [
          ['1', 'A', 2 * K],
          ['1', 'A', -K],
        ],
      },
    ],
    [0, 0, 0],
  ],
  ['shop and bank both show a sale', [one, A, { shop: [['1', null, K]], bank: [OF_1] }], [0, 0, 0]],
  ['charged more than the order costs', [one, A, { shop: [['1', 'A', K + 1000]] }], [1000, 0, 0]],
  ['charged less', [one, A, { shop: [['1', 'A', K - 1000]] }], [0, 1000, 0]],
  [
    'more went back than was charged',
    [late, A, { shop: [OF_1, ['1', 'A', -K - 1650]] }],
    [0, 1650, 0],
  ],
  [
    'late, then again; one of both went back, it names the sold order',
    [{ 1: [0, 0], 2: [K, K] }, AB, { shop: [OF_1, OF_2, ['2', 'B', -K]] }],
    [0, 0, 0],
  ],
  [
    'late; a return under an id of its own is of the late payment, not of the void tickets',
    [
      { 1: [K, K], 2: [K, 0], 3: [0, 0] },
      [
        [['1', '2'], 'A', K],
        [['3'], 'B', K],
      ],
      { shop: [OF_1, OF_2, ['1', 'R7', -K / 2]] },
      ['1 at bank', '2 at bank'],
    ],
    [K / 2, 0, 0],
  ],
  [
    'one payment for two orders, and another one for the second of them that was refused for a third',
    [
      { 1: [K, K], 2: [K, K], 3: [0, 0] },
      [
        [['1', '2'], 'A', K],
        [['3'], 'B', K],
      ],
      { shop: [OF_1, OF_2, ['1', 'A', -K], ['2', 'B', -K / 2]] },
      ['1 at bank', '2 at bank'],
    ],
    [0, K + K / 2, 0],
  ],
  ['a buyer’s money and ours', [{ 1: [0, 0], 2: [K, K] }, AB, { shop: [OF_1] }, ['2']], [K, K, 0]],
  [
    'an order that we never had, ticket by ticket',
    [
      {},
      [],
      {
        shop: [
          ['X', 'P', K],
          ['X', 'P', K],
          ['X', 'P', K],
          ['X', 'P', K],
        ],
      },
    ],
    [4 * K, 0, 0],
  ],
  ['a return of what nobody charged', [{}, [], { shop: [['X', 'P', -K]] }], [0, 0, 0]],
]

test.group('The balance of a component', () => {
  for (const [story, given, expected] of STORIES)
    test(story, ({ assert }) => assert.deepEqual(exposureOf(...given), expected))

  test('an order of other days that a register only shows the return of is acknowledged', ({
    assert,
  }) => {
    const part: Orders = { 1: [2 * K, K] }
    const given = [part, [[['1'], 'A', 2 * K]], { shop: [['1', 'A', -K]] }] as const
    assert.deepEqual(exposureOf(...(given as unknown as Parameters<typeof component>)), [0, 0, 0])
  })

  test('what is not yet due, and was returned all the same, hides no other charge', ({
    assert,
  }) => {
    const drawn = component({ 1: [K, 0] }, A, { shop: [OF_1, ['1', 'B', K], ['1', 'A', -K]] })
    drawn.orders[0].notYetDueTenge = BigInt(K)
    assert.equal(balanceOf(drawn).exposure.buyer, BigInt(K))
  })

  test('a payment that paid for nothing acknowledges no order that it was refused for', ({
    assert,
  }) => {
    const orders: Orders = { 1: [0, 0], 2: [K, K] }
    const confirmed: Confirmed = [
      [['1', '2'], 'A', K],
      [['2'], 'B', K],
    ]
    const drawn = component(orders, confirmed, { shop: [OF_1] }, ['2'])
    drawn.orders[1].paymentId = 'B'
    assert.deepEqual(balanceOf(drawn).exposure, {
      buyer: BigInt(K),
      platform: BigInt(K),
      partner: 0n,
    })
  })

  test('what went back of two payments that bought nothing, one in each register, is of no ticket', ({
    assert,
  }) => {
    const confirmed: Confirmed = [
      [['1'], 'A', K],
      [['1'], 'B', K],
      [['1'], 'C', K],
    ]
    const sources: Record<string, Row[]> = {
      cards: [['1', 'B', K]],
      wallets: [['1', 'C', K]],
      bank: [['1', 'R9', -2 * K]],
    }
    const missing = ['1 at cards', '1 at wallets', '1 at bank']
    const drawn = component({ 1: [K, 0] }, confirmed, sources, missing)
    assert.deepEqual(balanceOf(drawn).exposure, { buyer: BigInt(K), platform: 0n, partner: 0n })
  })

  test('what went back of another payment leaves what is not yet due', ({ assert }) => {
    const orders: Orders = { 1: [0, 0], 2: [K, 0] }
    const confirmed: Confirmed = [
      [['1', '2'], 'A', K],
      [['2'], 'B', K],
    ]
    const drawn = component(orders, confirmed, { shop: [OF_1, OF_2, ['1', 'A', -K]] })
    drawn.orders[1].paymentId = 'B'
    drawn.orders[1].notYetDueTenge = BigInt(K)
    assert.equal(balanceOf(drawn).exposure.buyer, 0n)
  })

  test('a void ticket with which a guest was admitted is ours alone', ({ assert }) => {
    const shop: Row[] = [
      ['1', 'A', 2 * K],
      ['1', 'A', -K],
    ]
    const drawn = component({ 1: [2 * K, 0] }, [[['1'], 'A', 2 * K]], { shop })
    drawn.orders[0].usedVoidTenge = BigInt(K)
    assert.deepEqual(balanceOf(drawn).exposure, { buyer: 0n, platform: BigInt(K), partner: 0n })
  })

  test('what is not yet due is owed by nobody', ({ assert }) => {
    const drawn = component({ 1: [K, 0] }, A)
    drawn.orders[0].notYetDueTenge = BigInt(K)
    assert.equal(balanceOf(drawn).exposure.buyer, 0n)
  })

  test('a return may have the day before its charge, as days of sources differ by one', ({
    assert,
  }) => {
    const buyerWith = (returnedAt: number) => {
      const given = component(late, A, { shop: [OF_1, ['1', 'A', -K]] })
      for (const shown of given.money) if (shown.kind === 'return') shown.at = returnedAt
      return Number(balanceOf(given).exposure.buyer)
    }
    // The charge is of 2 January, five o'clock at the venues.
    const dayBefore = -5 * 3_600_000
    const returnedAt = [DAY - 1, 0, dayBefore, dayBefore - 1]
    assert.deepEqual(returnedAt.map(buyerWith), [0, 0, 0, K])
  })

  test('a return of one payment leaves what is not yet due of another', ({ assert }) => {
    const given = component({ 1: [K, 0], 2: [K, K / 2] }, AB, { shop: [['1', 'A', -K]] })
    for (const order of given.orders) order.notYetDueTenge = BigInt(K / 2)
    const { notYetDueTenge, exposure } = balanceOf(given)
    assert.deepEqual([notYetDueTenge, exposure.buyer], [BigInt(K / 2), 0n])
  })

  test('nothing goes back before it was charged', ({ assert }) => {
    const drawn = component(late, A, { shop: [['1', 'A', -K]] })
    drawn.money[0].at = 40 * DAY
    assert.equal(balanceOf(drawn).exposure.buyer, BigInt(K))
  })

  test('a return of what nobody was charged does not count, whenever it was', ({ assert }) => {
    const given = component(late, [], { shop: [['1', 'A', -K]] })
    for (const at of [2 * DAY, null]) {
      given.money[0].at = at
      assert.deepEqual(balanceOf(given).exposure, NO_EXPOSURE)
    }
  })

  test('no return is too early where a charge has no date', ({ assert }) => {
    const given = component(late, A, { shop: [OF_1, ['1', 'A', -K]] })
    const [confirmed, shown] = given.money
    confirmed.at = 40 * DAY
    shown.at = null
    assert.equal(balanceOf(given).exposure.buyer, 0n)
  })
})

/** Both registers number payments as confirms do; wallets lack the cards' sales. */
const APART: SourcesSharingIds = new Map([
  ['cards', 'all'],
  ['wallets', 'part'],
])
const BACK_OF_A: Row = ['1', 'A', -K]
const SECOND: Row = ['1', 'B', K]
const BACK_OF_B: Row = ['1', 'B', -K]

/** Of order 1 of 12,000, confirmed with payment A. */
const SECOND_CHARGES: [
  story: string,
  sources: Record<string, Row[]>,
  sharing: SourcesSharingIds,
  expected: [charged: number, buyer: number, platform: number],
][] = [
  ['cards show A, wallets B', { cards: [OF_1], wallets: [SECOND] }, APART, [2 * K, K, 0]],
  ['wallets show A, cards B', { wallets: [OF_1], cards: [SECOND] }, APART, [2 * K, K, 0]],
  [
    '… and nothing is known of the sources',
    { cards: [OF_1], wallets: [SECOND] },
    new Map(),
    [K, 0, 0],
  ],
  [
    '… and wallets number payments in their own way',
    { cards: [OF_1], wallets: [SECOND] },
    new Map([['cards', 'all']]),
    [K, 0, 0],
  ],
  ['B is returned', { cards: [OF_1], wallets: [SECOND, BACK_OF_B] }, APART, [2 * K, 0, 0]],
  [
    'both are returned, and the tickets are valid',
    { cards: [OF_1, BACK_OF_A], wallets: [SECOND, BACK_OF_B] },
    APART,
    [2 * K, 0, K],
  ],
  [
    'a terminal shows C, too',
    { cards: [OF_1], wallets: [SECOND], terminal: [['1', 'C', K]] },
    new Map([...APART, ['terminal', 'part']]),
    [3 * K, 2 * K, 0],
  ],
  [
    'a bank of both shows A and B under numbers of its own',
    {
      cards: [OF_1],
      wallets: [SECOND],
      bank: [
        ['1', 'R7', K],
        ['1', 'R8', K],
      ],
    },
    APART,
    [2 * K, K, 0],
  ],
  ['both show A', { cards: [OF_1], wallets: [OF_1] }, APART, [K, 0, 0]],
  ['only wallets show it, under another id', { wallets: [SECOND] }, APART, [K, 0, 0]],
  [
    'a shop and its bank both show all sales, and the shop has mistyped an id',
    { shop: [SECOND, BACK_OF_B], bank: [OF_1, BACK_OF_A] },
    new Map([
      ['shop', 'all'],
      ['bank', 'all'],
    ]),
    [K, 0, K],
  ],
]

test.group('A second charge that stands alone in the register of another source', () => {
  for (const [story, sources, sourcesSharingIds, expected] of SECOND_CHARGES)
    test(story, ({ assert }) => {
      const drawn = { ...component(one, A, sources), sourcesSharingIds }
      const { chargedTenge, exposure } = balanceOf(drawn)
      assert.deepEqual([chargedTenge, exposure.buyer, exposure.platform].map(Number), expected)
      const turned = { ...drawn, money: drawn.money.toReversed() }
      assert.deepEqual(balanceOf(turned).exposure, exposure, 'in another order of rows')
      assertAddsUp(drawn, assert, story)
    })

  test('of two sources that show all sales the one with the id that a third one knows counts', ({
    assert,
  }) => {
    const sharing: SourcesSharingIds = new Map([
      ['bank', 'all'],
      ['shop', 'all'],
      ['wallets', 'part'],
    ])
    for (const mistyped of ['bank', 'shop']) {
      const shownBy = (source: string) => (source === mistyped ? [SECOND] : [OF_1])
      const sources = { bank: shownBy('bank'), shop: shownBy('shop'), wallets: [OF_1] }
      const drawn = { ...component(one, A, sources), sourcesSharingIds: sharing }
      assert.deepEqual(balanceOf(drawn).exposure, NO_EXPOSURE, `${mistyped} has mistyped it`)
    }
  })

  test('of two sources that show all sales, and as much as each other, rows’ order does not choose', ({
    assert,
  }) => {
    const sources: Record<string, Row[]> = {
      shop: [
        ['1', 'B', K],
        ['2', 'B', 4_000],
      ],
      bank: [['1', 'A', 4_000]],
      cards: [['1', 'B', 16_000]],
    }
    const drawn = {
      ...component({ 2: [3 * K, 3 * K] }, [[['2'], 'B', 3 * K]], sources),
      sourcesSharingIds: new Map([
        ['shop', 'all'],
        ['bank', 'part'],
        ['cards', 'all'],
      ] as const),
    }
    const turned = { ...drawn, money: drawn.money.toReversed() }
    assert.deepEqual(balanceOf(turned).exposure, balanceOf(drawn).exposure)
  })

  test('of a late order a bank with numbers of its own adds what no other register shows', ({
    assert,
  }) => {
    const sources: Record<string, Row[]> = {
      cards: [OF_1],
      wallets: [SECOND],
      bank: [
        ['1', 'R1', K],
        ['1', 'R3', 5_000],
      ],
    }
    const drawn = { ...component(late, A, sources), sourcesSharingIds: APART }
    assert.equal(balanceOf(drawn).exposure.buyer, BigInt(2 * K + 5_000))
  })

  test('of a late order a wrong id in one of two registers of all sales is no second charge, either', ({
    assert,
  }) => {
    for (const mistyped of ['bank', 'shop']) {
      const shownBy = (source: string) => (source === mistyped ? [SECOND] : [OF_1])
      const sources = { bank: shownBy('bank'), shop: shownBy('shop') }
      const drawn = {
        ...component(late, A, sources),
        sourcesSharingIds: new Map([
          ['bank', 'all' as const],
          ['shop', 'all' as const],
        ]),
      }
      assert.equal(balanceOf(drawn).exposure.buyer, BigInt(K), `${mistyped} has mistyped it`)
    }
  })

  const QS: Row = ['1', 'Q1', K]
  const BACK_OF_Q: Row = ['1', 'RQ1', -K]
  for (const [story, orders, expected] of [
    ['a late', late, { buyer: BigInt(K), platform: 0n, partner: 0n }],
    ['a paid', one, NO_EXPOSURE],
  ] as const)
    test(`of ${story} order one return goes back once, where a shop shows both charges and cards the second one`, ({
      assert,
    }) => {
      const sources = {
        shop: [OF_1, QS, BACK_OF_Q],
        cards: [QS, BACK_OF_Q],
        wallets: [OF_1],
      }
      const sharing: SourcesSharingIds = new Map([
        ['shop', 'all'],
        ['cards', 'part'],
        ['wallets', 'part'],
      ])
      const drawn = { ...component(orders, A, sources), sourcesSharingIds: sharing }
      assert.deepEqual(balanceOf(drawn).exposure, expected)
    })

  test('a return under an id of its own is of the second charge, where another register gives back the first', ({
    assert,
  }) => {
    const sources: Record<string, Row[]> = {
      shop: [OF_1, BACK_OF_A],
      wallets: [OF_1, SECOND, ['1', 'R2', -K]],
    }
    const drawn = {
      ...component({ 1: [K, 0] }, A, sources),
      sourcesSharingIds: new Map([
        ['shop', 'all' as const],
        ['wallets', 'part' as const],
      ]),
    }
    assert.deepEqual(balanceOf(drawn).exposure, NO_EXPOSURE)
  })

  test('a payment in two parts, each in a register of its own, acknowledges the whole order', ({
    assert,
  }) => {
    const sources = { cards: [OF_1], wallets: [SECOND] }
    const paid: Confirmed = [[['1'], 'A', 2 * K]]
    const drawn = {
      ...component({ 1: [2 * K, 2 * K] }, paid, sources),
      sourcesSharingIds: APART,
    }
    assert.deepEqual(balanceOf(drawn).exposure, NO_EXPOSURE)
  })

  test('one return under two ids goes back once, however much its payment was', ({ assert }) => {
    const sources: Record<string, Row[]> = {
      shop: [
        ['1', 'A', 2 * K],
        ['1', 'R1', -K],
      ],
      acquirer: [BACK_OF_A],
    }
    const paid: Confirmed = [[['1'], 'A', 2 * K]]
    for (const shown of [['all', 'part'] as const, ['part', 'all'] as const]) {
      const drawn = {
        ...component({ 1: [2 * K, 0] }, paid, sources),
        sourcesSharingIds: new Map([
          ['shop', shown[0]],
          ['acquirer', shown[1]],
        ]),
      }
      assert.equal(balanceOf(drawn).exposure.buyer, BigInt(K))
    }
  })

  test('of void tickets both went back, the first under an id of its own', ({ assert }) => {
    const sources = { cards: [OF_1, ['1', 'R1', -K] as Row], wallets: [SECOND, BACK_OF_B] }
    const drawn = { ...component({ 1: [K, 0] }, A, sources), sourcesSharingIds: APART }
    assert.deepEqual(balanceOf(drawn).exposure, { buyer: 0n, platform: 0n, partner: 0n })
    const ofShop = { ...sources, shop: [OF_1, SECOND] }
    const withShop = {
      ...component({ 1: [K, 0] }, A, ofShop),
      sourcesSharingIds: new Map([...APART, ['shop', 'all'] as const]),
    }
    assert.deepEqual(balanceOf(withShop).exposure, NO_EXPOSURE, 'a shop shows both charges')
  })
})

test.group('Every balance', () => {
  const RUNS = 300

  test('does not depend on the order of rows, is never less than nothing, nor more than was charged', ({
    assert,
  }) => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const drawn = aComponent(seed)
      const balance = balanceOf(drawn)
      const shuffled = balanceOf({
        ...drawn,
        orders: drawn.orders.toReversed(),
        money: drawn.money.toReversed(),
      })
      assert.deepEqual(shuffled.exposure, balance.exposure, `seed ${seed}`)
      const { buyer, platform, partner } = balance.exposure
      const negative = [buyer, platform, partner].filter((tenge) => tenge < 0n)
      assert.isEmpty(negative, `seed ${seed}`)
      assert.isTrue(buyer <= balance.chargedTenge, `seed ${seed}`)
      assert.isTrue(platform <= balance.boughtTenge + balance.returnedTenge, `seed ${seed}`)
    }
  })

  test('stays what it is when another source shows the same once more, and lacks the same', ({
    assert,
  }) => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const drawn = aComponent(seed)
      const ofBank = <One extends { source: string }>(all: One[]) =>
        all
          .filter(({ source }) => source !== CONFIRMS)
          .map((shown) => ({ ...shown, source: 'bank' }))
      const more = {
        ...drawn,
        money: [...drawn.money, ...ofBank(drawn.money)],
        missingOrders: [...drawn.missingOrders, ...ofBank(drawn.missingOrders)],
      }
      assert.deepEqual(balanceOf(more).exposure, balanceOf(drawn).exposure, `seed ${seed}`)
    }
  })
})

test.group('Groups of purchases', () => {
  const addUp = ({ chargedTenge, returnedTenge, boughtTenge, groups }: Balance) => ({
    component: [chargedTenge, returnedTenge, boughtTenge],
    groups: [
      sum(groups.map((group) => group.chargedTenge)),
      sum(groups.map((group) => group.returnedTenge)),
      sum(groups.map((group) => group.boughtTenge)),
    ],
  })

  test('add up to the component, where two purchases share what is known of ids', ({ assert }) => {
    const returned = component(
      { 1: [2 * K, 0], 2: [2 * K, 0] },
      [
        [['1'], 'A', 2 * K],
        [['2'], 'B', 2 * K],
      ],
      {
        bank: [
          ['1', 'R7', -K],
          ['2', 'R8', -K],
        ],
        refunds: [
          ['1', 'R7', -K],
          ['2', 'R9', -K],
        ],
      }
    )
    const { component: whole, groups } = addUp(balanceOf(returned))
    assert.deepEqual(whole.map(Number), [4 * K, 3 * K, 0])
    assert.deepEqual(groups, whole)
  })

  test('add up to every component', ({ assert }) => {
    for (let seed = 1; seed <= 300; seed++) {
      const { component: whole, groups } = addUp(balanceOf(aComponent(seed)))
      assert.deepEqual(groups, whole, `seed ${seed}`)
    }
  })
})

test.group('A balance on paper', () => {
  for (const [story, given] of STORIES)
    test(`adds up: ${story}`, ({ assert }) => assertAddsUp(component(...given), assert, story))

  test('adds up for every component', ({ assert }) => {
    for (let seed = 1; seed <= 300; seed++) assertAddsUp(aComponent(seed), assert, `seed ${seed}`)
  })

  test('says of each payment what every source shows, which of it counts, and in which lines it stands', ({
    assert,
  }) => {
    const drawn = component(one, A, { shop: [OF_1, ['1', 'B', K], ['1', 'B', -4_000]] })
    const rows = drawn.money.filter(({ source }) => source === 'shop')
    for (const [index, row] of rows.entries())
      Object.assign(row, { registerId: 7, line: index + 2 })
    const explained = explainBalance(drawn, balanceOf(drawn))
    const [purchase, ...others] = explained.purchases
    assert.isEmpty(others)
    assert.deepEqual(purchase.orders, [{ id: '1', totalTenge: BigInt(K), validTenge: BigInt(K) }])
    const payments = purchase.payments.map(({ paymentId, chargedTenge, returnedTenge, shown }) => [
      paymentId,
      Number(chargedTenge),
      Number(returnedTenge),
      shown.map((each) => [
        each.source,
        Number(each.chargedTenge),
        Number(each.returnedTenge),
        each.lines.map(({ registerId, line }) => `${registerId}:${line}`),
      ]),
    ])
    assert.deepEqual(payments, [
      [
        'A',
        K,
        0,
        [
          [CONFIRMS, K, 0, []],
          ['shop', K, 0, ['7:2']],
        ],
      ],
      ['B', K, 4_000, [['shop', K, 4_000, ['7:3', '7:4']]]],
    ])
    assert.equal(Number(explained.openTenge), 8_000)
    assert.deepEqual(explained.acknowledged, [
      { source: 'shop', acknowledgedTenge: BigInt(K), differenceTenge: 0n },
    ])
  })

  test('of what registers number in their own way only one source counts', ({ assert }) => {
    const [, given] = STORIES.find(([story]) => story.startsWith('… as shop and bank number it'))!
    const drawn = component(...given)
    const { purchases } = explainBalance(drawn, balanceOf(drawn))
    const counted = purchases[0].payments.flatMap(({ shown }) =>
      shown.filter(({ isChargeCounted }) => isChargeCounted).map(({ source }) => source)
    )
    assert.deepEqual(counted, ['bank', 'bank'])
  })

  test('of a cart that is void and not due yet, what went back early is taken off once', ({
    assert,
  }) => {
    const void2: Orders = { 1: [K, 0], 2: [K, 0] }
    const drawn = component(void2, [[['1', '2'], 'A', 2 * K]], {
      shop: [
        [['1', '2'], 'A', 2 * K],
        ['1', 'A', -K],
      ],
    })
    for (const order of drawn.orders) order.notYetDueTenge = BigInt(K)
    const { notYetDueTenge, exposure } = balanceOf(drawn)
    assert.deepEqual([notYetDueTenge, exposure.buyer], [BigInt(K), 0n])
  })

  test('a return before the charge is shown and does not count', ({ assert }) => {
    const drawn = component(late, A, { shop: [['1', 'A', -K]] })
    drawn.money[0].at = 40 * DAY
    const { purchases } = explainBalance(drawn, balanceOf(drawn))
    const [payment] = purchases[0].payments
    assert.equal(payment.returnedTenge, 0n)
    const shop = payment.shown.find(({ source }) => source === 'shop')!
    assert.deepEqual(
      [shop.returnedTenge, shop.isReturnCounted, shop.isTooEarly],
      [BigInt(K), false, true]
    )
  })

  test('a return that is counted in another row is not too early', ({ assert }) => {
    const drawn = component(late, A, {
      shop: [
        ['1', 'A', K],
        ['1', 'A', -K],
      ],
      bank: [['1', 'R', -K]],
    })
    const { purchases } = explainBalance(drawn, balanceOf(drawn))
    const shown = purchases[0].payments.flatMap((payment) => payment.shown)
    const returns = shown.filter(({ returnedTenge }) => returnedTenge > 0n)
    assert.sameDeepMembers(
      returns.map(({ source, isReturnCounted, isTooEarly }) => [
        source,
        isReturnCounted,
        isTooEarly,
      ]),
      [
        ['shop', true, false],
        ['bank', false, false],
      ]
    )
  })

  test('rows that may be of several purchases stand apart, and their orders’ tickets are not counted again', ({
    assert,
  }) => {
    const drawn = component(two, AB, { shop: [EITHER] })
    const { purchases } = explainBalance(drawn, balanceOf(drawn))
    const uncertain = purchases.filter(({ isUncertain }) => isUncertain)
    assert.deepEqual(
      uncertain.map(({ orders, boughtTenge }) => [orders.map(({ id }) => id), boughtTenge]),
      [[['1', '2'], 0n]]
    )
  })

  test('lists no more than a page can show, and sums the rest', ({ assert }) => {
    const ids = Array.from({ length: 80 }, (_, index) => `${index + 1}`)
    const orders = Object.fromEntries(ids.map((id): [string, [number, number]] => [id, [K, K]]))
    const paid = ids.map((id): Confirmed[number] => [[id], `P${id}`, K])
    const many = component(orders, paid, { shop: [['80', 'P80', 2 * K]] })
    const { purchases, rest } = explainBalance(many, balanceOf(many))
    assert.lengthOf(purchases, MOST_PAYMENTS)
    assert.equal(purchases[0].orders[0].id, '80', 'what is owed comes first')
    assert.equal(rest?.purchases, 30)
    assertAddsUp(many, assert, '80 purchases')

    const rows = Array.from({ length: 80 }, (_, index): Row => ['1', `P${index}`, K])
    const repeated = component(one, A, { shop: rows })
    const [purchase] = explainBalance(repeated, balanceOf(repeated)).purchases
    assert.lengthOf(purchase.payments, MOST_PAYMENTS)
    assert.equal(purchase.rest?.payments, 31)
    assertAddsUp(repeated, assert, '81 payments')
  })

  test('is stored as text and read as numbers', ({ assert }) => {
    const drawn = component(late, A)
    const stored = JSON.parse(toJson(explainBalance(drawn, balanceOf(drawn))))
    assert.strictEqual(stored.buyerTenge, '12000')
    assert.strictEqual(stored.purchases[0].payments[0].shown[0].chargedTenge, '12000')
    assert.strictEqual(fromStored(stored).purchases[0].chargedTenge, K)
  })
})

/** What is listed adds up to the figures, and both equations give the exposure. */
function assertAddsUp(drawn: Component, assert: Assert, about: string) {
  const balance = balanceOf(drawn)
  const { rest, purchases, ...paper } = explainBalance(drawn, balance)
  for (const figure of ['chargedTenge', 'returnedTenge', 'boughtTenge'] as const) {
    const listed = sum(purchases.map((purchase) => purchase[figure])) + (rest?.[figure] ?? 0n)
    assert.deepEqual([listed, paper[figure]], [balance[figure], balance[figure]], about)
  }
  for (const { payments, rest: others, ...purchase } of purchases) {
    for (const figure of ['chargedTenge', 'returnedTenge'] as const) {
      const listed = sum(payments.map((payment) => payment[figure])) + (others?.[figure] ?? 0n)
      assert.equal(listed, purchase[figure], about)
    }
    for (const { shown, chargedTenge, returnedTenge } of payments) {
      const counted = shown.filter(({ isChargeCounted }) => isChargeCounted)
      const countedBack = shown.filter(({ isReturnCounted }) => isReturnCounted)
      assert.equal(sum(counted.map((each) => each.chargedTenge)), chargedTenge, about)
      assert.equal(sum(countedBack.map((each) => each.returnedTenge)), returnedTenge, about)
      assert.isTrue(counted.length <= 1 && countedBack.length <= 1, about)
    }
  }
  const open = paper.chargedTenge - paper.returnedTenge - paper.boughtTenge
  for (const each of paper.acknowledged) {
    assert.equal(each.differenceTenge, each.acknowledgedTenge - paper.boughtTenge, about)
    assert.isAtMost(Number(each.acknowledgedTenge), Number(paper.acknowledgedTenge), about)
  }
  const isShown = paper.acknowledged.length > 0
  const lacking = isShown ? paper.boughtTenge - paper.acknowledgedTenge : 0n
  const unpaid = atLeastZero(paper.boughtTenge - paper.chargedTenge)
  const overReturned = atLeastZero(-open - unpaid)
  const least = max(max(lacking, unpaid), overReturned) + paper.usedVoidTenge
  const most = lacking + unpaid + overReturned + paper.usedVoidTenge
  assert.isTrue(least <= paper.platformTenge && paper.platformTenge <= most, about)
  const buyers = atLeastZero(open - paper.notYetDueTenge - paper.usedVoidTenge)
  assert.deepEqual(
    [paper.openTenge, paper.buyerTenge, paper.partnerTenge],
    [open, buyers, 0n],
    about
  )
  assert.deepEqual(balance.exposure, {
    buyer: paper.buyerTenge,
    platform: paper.platformTenge,
    partner: paper.partnerTenge,
  })
}

/** Some orders, payments and rows, always the same for a seed. */
function aComponent(seed: number): Component {
  let state = seed
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  const ids = Array.from({ length: 1 + next(4) }, (_, index) => `${index + 1}`)
  const payments = ['A', 'B', 'C', null]
  const orders = Object.fromEntries(
    ids.map((id): [string, [number, number]] => [id, next(3) === 0 ? [0, 0] : [K, next(4) * 4_000]])
  )
  const confirmed = ids.map((id): Confirmed[number] => [[id], payments[next(3)], K])
  const merged = Map.groupBy(confirmed, ([, payment]) => payment)
  const shared = [...merged].map(([payment, own]): Confirmed[number] => [
    own.flatMap(([of]) => of),
    payment,
    K,
  ])
  const rows = Array.from({ length: next(7) }, (): Row => [
    ids[next(ids.length)],
    payments[next(4)],
    (next(4) === 0 ? -1 : 1) * (1 + next(3)) * 4_000,
  ])
  const shown = new Set(rows.map(([order]) => order))
  const missing = ids.filter((id) => !shown.has(id) && next(3) === 0)
  return component(orders, shared, { shop: rows }, missing)
}
