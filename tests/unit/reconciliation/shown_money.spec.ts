import { dedupeAcrossRegisters, type ShownMoney } from '#reconciliation/evidence/shown_money'
import { sum } from '#shared/sums'
import { cpuMsOf } from '#tests/support/cpu_time'
import { at } from '#tests/unit/reconciliation/support'
import { test } from '@japa/runner'

/** `day` is null for a row without a date. */
type Row = readonly [tenge: number, paymentId: string | null, day: number | null]
type Register = readonly [id: number, rows: readonly Row[]]

const DAY_MS = 86_400_000
const [FROM, NOON] = [at('2026-09-14T19:00:00Z'), at('2026-09-15T07:00:00Z')].map(Number)
const RUNS = 6_000

function totalOf(registers: readonly Register[]) {
  const shown = registers.flatMap(([registerId, rows]) =>
    rows.map(([tenge, paymentId, day]): ShownMoney => ({
      tenge: BigInt(tenge),
      paymentId,
      registerId,
      from: FROM,
      to: FROM + 9 * DAY_MS,
      at: day === null ? null : NOON + day * DAY_MS,
    }))
  )
  return Number(sum(dedupeAcrossRegisters(shown).map(({ tenge }) => tenge)))
}

/** mulberry32: the same numbers each time. */
function numbers() {
  let seed = 7
  return (below: number) => {
    seed = (seed + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

/** Each register has a date in every row, or in none. */
function* registersAtRandom(size: number): Generator<Register[]> {
  const random = numbers()
  for (let run = 0; run < RUNS; run++) {
    yield Array.from({ length: 1 + random(size) }, (_, id) => {
      const isDated = random(3) > 0
      const rows = Array.from({ length: 1 + random(3) }, (): Row => {
        const paymentId = [null, 'a', 'b'][random(3)]
        return [[6, 12][random(2)], paymentId, isDated ? random(2) : null]
      })
      return [id, rows]
    })
  }
}

const describeRegisters = (registers: readonly Register[]) => JSON.stringify(registers)

test.group('Money in several registers', () => {
  test('the order of registers does not matter', ({ assert }) => {
    for (const registers of registersAtRandom(3))
      assert.equal(
        totalOf(registers.toReversed()),
        totalOf(registers),
        describeRegisters(registers)
      )
  })

  test('the total is at least that of each register', ({ assert }) => {
    for (const registers of registersAtRandom(3)) {
      const most = Math.max(...registers.map((one) => totalOf([one])))
      assert.isAtLeast(totalOf(registers), most, describeRegisters(registers))
    }
  })

  test('a register sent again adds nothing', ({ assert }) => {
    for (const registers of registersAtRandom(2)) {
      const again = [...registers, [9, registers[0][1]] as const]
      assert.equal(totalOf(again), totalOf(registers), describeRegisters(again))
    }
  })

  test('rows by ticket and by order count once, also when the later file has more', ({
    assert,
  }) => {
    const byTicket = [12, 12, 12].map((tenge): Row => [tenge, null, 0])
    for (const some of [1, 2, 3])
      for (const all of [1, 2, 3]) {
        const registers: Register[] = [
          [1, byTicket.slice(0, some)],
          [2, [[12 * all, null, 0]]],
        ]
        assert.equal(totalOf(registers), 12 * Math.max(some, all), describeRegisters(registers))
      }
  })

  test('a payment dated a day later by the bank counts once; two payments on both days are two', ({
    assert,
  }) => {
    const [shop, bank]: Register[] = [
      [1, [[12, 'a', 0]]],
      [2, [[12, 'a', 1]]],
    ]
    assert.equal(totalOf([shop, bank]), 12)
    const both: Register = [
      3,
      [
        [12, 'a', 0],
        [12, 'a', 1],
      ],
    ]
    assert.equal(totalOf([shop, bank, both]), 24)
    assert.equal(totalOf([shop, [2, [[12, 'a', 5]]]]), 24)
  })

  test('twenty thousand payments with and without ids are evaluated quickly', ({ assert }) => {
    const each = 20_000
    const rows = Array.from({ length: each }, (_, n): Row[] => [
      [12, `pay-${n}`, 0],
      [12, null, 0],
    ]).flat()
    const nameless = rows.filter(([, paymentId]) => paymentId === null)
    const registers: Register[] = [
      [1, rows],
      [2, nameless],
    ]
    const took = cpuMsOf(() => assert.equal(totalOf(registers), 2 * each * 12))
    assert.isBelow(took, 3_000)
  })
})
