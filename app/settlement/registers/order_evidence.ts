import type { RegisterFacts } from '#settlement/defects/register_facts'
import { dayNumber } from '#settlement/periods'
import { mostTogether } from '#settlement/registers/most_together'
import { takenAt, type EvidenceRow } from '#settlement/registers/register_evidence'
import { ShownRefunds } from '#settlement/registers/shown_refunds'

/** What differs of refunds is of a register's days. */
const OF_DAYS: RegisterFacts['code'][] = [
  ...(['VOID_WITHOUT_REFUND', 'REFUND_WITHOUT_VOID', 'REFUND_SUM_MISMATCH'] as const),
]

interface ShownFact<Fact> {
  fact: Fact
  /** Sum and day: what another register, which names no payment, may tell of as well. */
  what: string
  registerIds: Set<number>
}

interface OfDays<Fact> {
  fact: Fact
  tenge: bigint
  from: number
  to: number
}

/** What registers say of one order, ours or not; two that cover the same days say the same thing once. */
export class OrderEvidence<Fact extends RegisterFacts = RegisterFacts> {
  readonly refunds = new ShownRefunds()
  readonly #facts = new Map<string, ShownFact<Fact>>()
  readonly #ofDays = new Map<string, OfDays<Fact>[]>()
  readonly #namelessCharges = new Map<string, number>()

  add(fact: Fact, row: EvidenceRow) {
    const what = `${fact.code} ${fact.tenge} ${dayNumber(takenAt(row))}`
    const key = `${fact.code} ${this.#whatOf(fact, what, row)}`
    if (OF_DAYS.includes(fact.code)) {
      const [from, to] = [row.periodFrom.getTime(), row.periodTo.getTime()]
      const others = this.#ofDays.get(key) ?? []
      this.#ofDays.set(key, [...others, { fact, tenge: fact.tenge, from, to }])
      return
    }
    const known = this.#facts.get(key)
    const registerIds = (known?.registerIds ?? new Set<number>()).add(row.registerId)
    const isMore = !known || isSurerOrMore(fact, known.fact)
    this.#facts.set(key, isMore ? { fact, what, registerIds } : known)
  }

  /** A payment is charged once; charges that name none are told apart by sum and day, and by their number in one register. */
  #whatOf({ code, paymentIds }: Fact, what: string, { registerId }: EvidenceRow) {
    // An order is missing once, whether a register is silent of it or has a row of its refund.
    if (code === 'MISSING_AT_PARTNER') return ''
    if (paymentIds.length > 0) return paymentIds.toSorted().join(' ')
    if (code !== 'MISSING_AT_PLATFORM') return ''
    const nth = (this.#namelessCharges.get(`${registerId} ${what}`) ?? 0) + 1
    this.#namelessCharges.set(`${registerId} ${what}`, nth)
    return `${what} ${nth}`
  }

  /** A charge that names no payment is one that another register names, if sum and day are the same. */
  get facts(): Fact[] {
    const all = [...this.#facts.values()]
    const isNameless = ({ fact }: ShownFact<Fact>) =>
      fact.code === 'MISSING_AT_PLATFORM' && fact.paymentIds.length === 0
    const named = Map.groupBy(
      all.filter((one) => !isNameless(one)),
      ({ what }) => what
    )
    const alike = new Map([...named].map(([what, of]) => [what, byRegisters(of)]))
    const isNew = (charge: ShownFact<Fact>) => {
      const groups = isNameless(charge) ? (alike.get(charge.what) ?? []) : []
      const same = groups.find(([one]) => one?.registerIds.isDisjointFrom(charge.registerIds))
      same?.pop()
      return !same
    }
    const ofDays = [...this.#ofDays.values()].flatMap(mostTogether)
    return [...all.filter(isNew), ...ofDays].map(({ fact }) => fact)
  }
}

const isSurerOrMore = (one: RegisterFacts, other: RegisterFacts) =>
  Boolean(one.isOfPending) === Boolean(other.isOfPending)
    ? one.tenge > other.tenge
    : !one.isOfPending

/** Which registers show the same is soon looked through, whatever they show. */
const byRegisters = <Fact extends RegisterFacts>(all: ShownFact<Fact>[]) => [
  ...Map.groupBy(all, ({ registerIds }) => [...registerIds].join(' ')).values(),
]
