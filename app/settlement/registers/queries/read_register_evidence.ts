import type { OrderFacts } from '#settlement/defects/facts'
import {
  isOfTickets,
  type RefundSeen,
  type RegisterFacts,
  type UnknownMoney,
} from '#settlement/defects/registers'
import { dayNumber } from '#settlement/periods'
import {
  evidenceOf,
  takenAt,
  type DatedRefund,
  type EvidenceRow,
} from '#settlement/registers/register_evidence'
import { streamRows } from '#shared/stream_rows'
import { atLeastNothing, larger, sum } from '#shared/tenge'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

// Not where somebody has said that the rows there are of something else.
const SOLD_ELSEWHERE = `EXISTS (
  SELECT 1 FROM partner_register_case_orders o
    JOIN partner_register_case_orders other ON other.order_id = o.order_id AND other.register_id <> o.register_id
    JOIN partner_register_cases found ON found.id = other.case_id AND found.sales_tenge > 0
     AND found.decision IS DISTINCT FROM 'rejected'
    JOIN partner_registers r2 ON r2.id = other.register_id AND r2.state = 'confirmed'
   WHERE o.case_id = c.id)`

/** Takes the partner. An order that one register lacks and another has is missing in none. */
const CASES = `
  SELECT r.id AS "registerId", r.period_from AS "periodFrom", r.period_to AS "periodTo", c.category, c.decision, c.sales_tenge AS "salesTenge",
         c.refunds_tenge AS "refundsTenge", c.refunded_tenge AS "refundedTenge", c.exposure_tenge AS "exposureTenge",
         c.exposure_party AS "exposureParty", c.why, c.meant_order_id AS "meantOrderId",
         EXISTS (SELECT 1 FROM orders o WHERE o.id = c.meant_order_id AND o.partner_id = $1) AS "isMeantOurs",
         (c.decision = 'rejected' OR c.category = 'REFUND_DIFF') IS TRUE AND ${SOLD_ELSEWHERE} AS "isElsewhere",
         coalesce(ours.orders, '[]') AS orders, coalesce(theirs.rows, '[]') AS rows
    FROM partner_registers r JOIN partner_register_cases c ON c.register_id = r.id,
         LATERAL (SELECT jsonb_agg(jsonb_build_object('id', o.order_id, 'total', o.total_tenge, 'tenge', o.total_tenge - o.refunded_tenge)
                                   ORDER BY o.order_id) AS orders
                    FROM partner_register_case_orders o WHERE o.case_id = c.id) ours,
         LATERAL (SELECT jsonb_agg(jsonb_build_object('line', w.line, 'at', w.at, 'paymentId', w.payment_id,
                                   'id', coalesce(w.order_id, w.order_key, w.payment_id),
                                   'sold', CASE w.kind WHEN 'sale' THEN w.amount_tenge END,
                                   'returned', CASE w.kind WHEN 'refund' THEN -w.amount_tenge END) ORDER BY w.line) AS rows
                    FROM partner_register_case_rows l JOIN partner_register_rows w USING (register_id, line)
                   WHERE l.case_id = c.id) theirs
   WHERE r.partner_id = $1 AND r.state = 'confirmed'
     AND (c.category IN ('MISSING_AT_PLATFORM', 'MISSING_AT_PARTNER', 'REFUND_DIFF') OR c.refunds_tenge > 0
          OR c.decision = 'rejected' OR c.why @> '[{"code": "NET_OF_REFUND"}]')
     AND NOT (c.category = 'MISSING_AT_PARTNER' AND ${SOLD_ELSEWHERE})
   ORDER BY r.id, c.place`

interface ShownRefund {
  refund: RefundSeen
  at: number
}
interface ShownCharge<Fact> {
  fact: Fact
  /** Sum and day: what another register, which names no payment, may tell of as well. */
  what: string
  registerIds: Set<number>
}

/** What registers say of one order, ours or not; two that cover the same days say the same thing once. */
class OrderEvidence<Fact extends RegisterFacts = RegisterFacts> {
  readonly #facts = new Map<string, ShownCharge<Fact>>()
  readonly #namelessCharges = new Map<string, number>()
  /** day → register → what it shows to have gone back on it: registers tell the same moment more or less exactly. */
  readonly #refunds = new Map<number, Map<number, ShownRefund[]>>()
  /** What sales are told net of: all that went back until then. */
  readonly #nets: { tenge: bigint; until: number }[] = []

  fact(fact: Fact, row: EvidenceRow) {
    const what = `${fact.code} ${fact.tenge} ${dayNumber(takenAt(row))}`
    const key = `${fact.code} ${this.#whatOf(fact, what, row)}`
    const known = this.#facts.get(key)
    const registerIds = (known?.registerIds ?? new Set<number>()).add(row.registerId)
    const isMore = !known || known.fact.tenge < fact.tenge
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

  refund({ at, isNet = false, ...refund }: DatedRefund, { registerId, periodTo }: EvidenceRow) {
    if (isNet) {
      this.#nets.push({ tenge: refund.tenge, until: periodTo.getTime() })
      return
    }
    const ofDay = this.#refunds.get(dayNumber(at)) ?? new Map<number, ShownRefund[]>()
    ofDay.set(registerId, [...(ofDay.get(registerId) ?? []), { refund, at }])
    this.#refunds.set(dayNumber(at), ofDay)
  }

  /** A charge that names no payment is one that another register names, if sum and day are the same. */
  get registered() {
    const all = [...this.#facts.values()]
    const isNameless = ({ fact }: ShownCharge<Fact>) =>
      fact.code === 'MISSING_AT_PLATFORM' && fact.paymentIds.length === 0
    const named = new Set(all.filter((one) => !isNameless(one)))
    const isNew = (charge: ShownCharge<Fact>) => {
      if (!isNameless(charge)) return true
      const same = [...named].find(
        ({ what, registerIds }) =>
          what === charge.what && registerIds.isDisjointFrom(charge.registerIds)
      )
      return !same || !named.delete(same)
    }
    return all.filter(isNew).map(({ fact }) => fact)
  }

  /**
   * Where one register has a row for a refund and another tells the sale net of it, it went back once. Takes which refunds
   * such a sale is net of.
   */
  refundsSeen(isOne: (refund: RefundSeen) => boolean): RefundSeen[] {
    const shown = [...this.#refunds.values()].flatMap(shownOfDay)
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
  const sums = new Set<bigint>()
  for (const own of registers) {
    const tenge = sum(own.map(({ refund }) => refund.tenge))
    if (sums.has(tenge) && !namesOthers(own, kept)) continue
    sums.add(tenge)
    const others = [...kept]
    for (const one of own) {
      const same = others.findIndex(({ refund }) => isAlike(refund, one.refund))
      if (same === -1) kept.push(one)
      else others.splice(same, 1)
    }
  }
  return kept
}

const namelessIn = (shown: ShownRefund[]) =>
  shown.filter(({ refund }) => refund.paymentId === null).length
/** Whether it tells of a payment that none before has told of. */
const namesOthers = (own: ShownRefund[], kept: ShownRefund[]) =>
  own.some(
    ({ refund: { paymentId } }) =>
      paymentId !== null && kept.every(({ refund }) => refund.paymentId !== paymentId)
  )
const isAlike = (one: RefundSeen, other: RefundSeen) =>
  one.tenge === other.tenge &&
  (one.paymentId === other.paymentId || one.paymentId === null || other.paymentId === null)

/** What a partner's confirmed registers say of its orders: what is missing on either side, and which refunds they show. */
export class RegisterEvidence {
  readonly #orders = new Map<string, OrderEvidence>()
  /** What the partner calls an order that we never had. */
  readonly #unknown = new Map<string, OrderEvidence<UnknownMoney>>()

  static async of(partnerId: number, trx: TransactionClientContract) {
    const evidence = new RegisterEvidence()
    for await (const row of streamRows<EvidenceRow>(CASES, [partnerId], trx)) evidence.#take(row)
    return evidence
  }

  addTo(order: OrderFacts) {
    const found = this.#orders.get(order.id)
    if (!found) return
    order.registered = found.registered
    order.refundsSeen = found.refundsSeen(isOfTickets(order))
  }

  /** Money for orders that we never had, as far as it has not gone back: taken in [from, to), or asked for by name. */
  *unknownIn({ from, to }: { from: Date; to: Date }, asked: string[]) {
    const names = new Set(asked)
    for (const [id, evidence] of this.#unknown) {
      let returned = sum(evidence.refundsSeen(() => true).map(({ tenge }) => tenge))
      for (const money of evidence.registered) {
        const tenge = atLeastNothing(money.tenge - returned)
        returned = atLeastNothing(returned - money.tenge)
        const isIn = money.at >= from.getTime() && money.at < to.getTime()
        if (tenge > 0n && (isIn || names.has(id))) yield { ...money, tenge }
      }
    }
  }

  #take(row: EvidenceRow) {
    for (const { orderId, isOurs, facts, refunds } of evidenceOf(row)) {
      const evidence = isOurs ? of(this.#orders, orderId) : of(this.#unknown, orderId)
      for (const fact of facts) evidence.fact(fact as UnknownMoney, row)
      for (const refund of refunds) evidence.refund(refund, row)
    }
  }
}

function of<Fact extends RegisterFacts>(all: Map<string, OrderEvidence<Fact>>, id: string) {
  const known = all.get(id) ?? new OrderEvidence<Fact>()
  all.set(id, known)
  return known
}
