import type { RefundSeen } from '#settlement/defects/register_facts'
import { dayNumber } from '#settlement/periods'
import type { DatedRefund, EvidenceRow } from '#settlement/registers/register_evidence'
import { larger, sum } from '#shared/tenge'

interface ShownRefund {
  refund: RefundSeen
  at: number
}

/** What went back of one order, as one register or several show it. */
export class ShownRefunds {
  /** day → register → what it shows to have gone back on it: registers tell the same moment more or less exactly. */
  readonly #days = new Map<number, Map<number, ShownRefund[]>>()
  /** What sales are told net of: all that went back until then. */
  readonly #nets: { tenge: bigint; until: number }[] = []

  add({ at, isNet = false, ...refund }: DatedRefund, { registerId, periodTo }: EvidenceRow) {
    if (isNet) {
      this.#nets.push({ tenge: refund.tenge, until: periodTo.getTime() })
      return
    }
    const day = this.#days.get(dayNumber(at)) ?? new Map<number, ShownRefund[]>()
    this.#days.set(dayNumber(at), day)
    const shown = day.get(registerId)
    if (shown) shown.push({ refund, at })
    else day.set(registerId, [{ refund, at }])
  }

  /**
   * Where one register has a row for a refund and another tells the sale net of it, it went back once. Takes which refunds
   * such a sale is net of.
   */
  seen(isOne: (refund: RefundSeen) => boolean): RefundSeen[] {
    const shown = [...this.#days.values()].flatMap(shownOfDay)
    const unshown = this.#nets.map(({ tenge, until }) => {
      const before = shown.filter(({ refund, at }) => at < until && isOne(refund))
      return tenge - sum(before.map(({ refund }) => refund.tenge))
    })
    const refunds = shown.map(({ refund }) => refund)
    const most = unshown.reduce(larger, 0n)
    return most > 0n ? [...refunds, { tenge: most, paymentId: null }] : refunds
  }
}

/**
 * What registers show of one day together: what each adds to those before it. One that tells the same sum in other rows, by
 * ticket or by order, adds nothing; nor does a row that is alike but for a payment that one of them does not name.
 */
function shownOfDay(byRegister: ReadonlyMap<number, ShownRefund[]>): ShownRefund[] {
  // Those that name the most payments first: theirs are to be kept.
  const registers = [...byRegister.values()].toSorted((a, b) => namelessIn(a) - namelessIn(b))
  const kept: ShownRefund[] = []
  const [sums, payments] = [new Set<bigint>(), new Set<string | null>([null])]
  for (const own of registers) {
    const tenge = sum(own.map(({ refund }) => refund.tenge))
    const isNew = !sums.has(tenge) || own.some(({ refund }) => !payments.has(refund.paymentId))
    if (!isNew) continue
    sums.add(tenge)
    const known = new ToldAgain(kept)
    // A row that names its payment takes what is alike before one that would fit anything.
    const namedFirst = own.toSorted((a, b) => namelessIn([a]) - namelessIn([b]))
    for (const one of namedFirst) if (!known.take(one.refund)) kept.push(one)
    for (const { refund } of own) payments.add(refund.paymentId)
  }
  return kept
}

const namelessIn = (shown: ShownRefund[]) =>
  shown.filter(({ refund }) => refund.paymentId === null).length

/** Refunds that another register may tell again, each once. */
class ToldAgain {
  readonly #left = new Map<string, number>()

  constructor(shown: readonly ShownRefund[]) {
    for (const { refund } of shown)
      for (const key of [String(refund.tenge), exactKey(refund)]) this.#add(key, 1)
  }

  /** Whether one is left with the same sum and payment, or but for a payment that one of both does not name. */
  take(refund: RefundSeen) {
    const { tenge, paymentId } = refund
    const [any, nameless] = [String(tenge), exactKey({ tenge, paymentId: null })]
    const alike = [exactKey(refund), nameless].find((key) => this.#has(key))
    if (!this.#has(any) || (paymentId !== null && !alike)) return false
    this.#add(any, -1)
    if (alike) this.#add(alike, -1)
    return true
  }

  #has = (key: string) => (this.#left.get(key) ?? 0) > 0
  #add = (key: string, count: number) => this.#left.set(key, (this.#left.get(key) ?? 0) + count)
}

const exactKey = ({ tenge, paymentId }: RefundSeen) => `${tenge} ${paymentId}`
