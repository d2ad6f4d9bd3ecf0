import { dayNumber } from '#settlement/periods'
import { sum } from '#shared/tenge'

/** What rows of a register show of one order: taken, or given back. */
export interface ShownMoney {
  tenge: bigint
  paymentId: string | null
  registerId: number
  /** Null where no row has a date: any day of the register. */
  at: number | null
  /** The register's days. */
  from: number
  to: number
}

/**
 * What registers show together, the same money once. They agree on the day, and what one of them has without a date may be
 * what another has on any of its days.
 */
export function toldOnce<Shown extends ShownMoney>(all: readonly Shown[]): Shown[] {
  let told = all.filter(({ at }) => at !== null)
  const days = Map.groupBy(told, ({ at }) => dayNumber(at!))
  let kept = [...days.values()].flatMap(toldOfDay)
  for (const own of finestFirst(all.filter(({ at }) => at === null))) {
    const isMet = (one: Shown) => one.registerId !== own[0].registerId && meets(one, own[0])
    kept = [...kept, ...newIn(own, kept.filter(isMet), told.filter(isMet))]
    told = [...told, ...own]
  }
  return kept
}

function toldOfDay<Shown extends ShownMoney>(day: readonly Shown[]): Shown[] {
  let [kept, told]: [Shown[], Shown[]] = [[], []]
  for (const own of finestFirst(day)) {
    kept = [...kept, ...newIn(own, kept, told)]
    told = [...told, ...own]
  }
  return kept
}

/** Whether it may be on one of the days of what has no date. */
const meets = (one: ShownMoney, { from, to }: ShownMoney) =>
  one.at === null ? one.from < to && from < one.to : one.at >= from && one.at < to

/** Register by register: first those that name the most payments and have the most rows, which are to be kept. */
function finestFirst<Shown extends ShownMoney>(all: readonly Shown[]): Shown[][] {
  const registers = [...Map.groupBy(all, ({ registerId }) => registerId).values()]
  const ranked = registers.map((own) => {
    const named = own.filter(({ paymentId }) => paymentId !== null).length
    return { own, named, tenge: sumOf(own) }
  })
  return ranked
    .toSorted(
      (one, other) =>
        other.named - one.named ||
        other.own.length - one.own.length ||
        Number(other.tenge - one.tenge)
    )
    .map(({ own }) => own)
}

/**
 * What a register adds to what is kept of others. One that tells the same sum in other rows, by ticket or by order, adds
 * nothing; nor does a row that is alike but for a payment that one of them does not name.
 */
function newIn<Shown extends ShownMoney>(own: Shown[], kept: Shown[], told: Shown[]): Shown[] {
  const payments = new Set<string | null>([null, ...told.map(({ paymentId }) => paymentId)])
  const sums = [...Map.groupBy(told, ({ registerId }) => registerId).values(), kept].map(sumOf)
  const isTold = own.every(({ paymentId }) => payments.has(paymentId))
  if (isTold && sums.includes(sumOf(own))) return []
  const known = new ToldAgain(kept)
  // A row that names its payment takes what is alike before one that would fit anything.
  const namedFirst = own.toSorted((one, other) => Number(!one.paymentId) - Number(!other.paymentId))
  return namedFirst.filter((one) => !known.take(one))
}

const sumOf = (all: readonly ShownMoney[]) => sum(all.map(({ tenge }) => tenge))

type Shape = Pick<ShownMoney, 'tenge' | 'paymentId'>

/** What another register may tell again, each once. */
class ToldAgain {
  readonly #left = new Map<string, number>()

  constructor(shown: readonly Shape[]) {
    for (const one of shown) for (const key of [String(one.tenge), exactKey(one)]) this.#add(key, 1)
  }

  /** Whether one is left with the same sum and payment, or but for a payment that one of both does not name. */
  take(shape: Shape) {
    const { tenge, paymentId } = shape
    const [any, nameless] = [String(tenge), exactKey({ tenge, paymentId: null })]
    const alike = [exactKey(shape), nameless].find((key) => this.#has(key))
    if (!this.#has(any) || (paymentId !== null && !alike)) return false
    this.#add(any, -1)
    if (alike) this.#add(alike, -1)
    return true
  }

  #has = (key: string) => (this.#left.get(key) ?? 0) > 0
  #add = (key: string, count: number) => this.#left.set(key, (this.#left.get(key) ?? 0) + count)
}

const exactKey = ({ tenge, paymentId }: Shape) => `${tenge} ${paymentId}`
