import { EvidenceSource } from '#defects/facts/evidence'
import { earliest, type AttemptFacts, type OrderFacts } from '#defects/facts/facts'
import type { UnknownOrder } from '#defects/facts/register_facts'
import { isOfTickets } from '#defects/rules/returned'
import type { NamedPayments } from '#reconciliation/evidence/named_payments'
import { OrderEvidence } from '#reconciliation/evidence/order_evidence'
import { spelling } from '#reconciliation/reading/payment_spelling'
import { readNamedPayments } from '#reconciliation/evidence/read_named_payments'
import {
  isInPeriod,
  SALE_IN_STATEMENT,
  statementPeriod,
} from '#reconciliation/store/read_our_orders'
import { evidenceOf, type ReportedOrder } from '#reconciliation/evidence/register_evidence'
import type { EvidenceRow } from '#reconciliation/evidence/evidence_rows'
import { foldId } from '#reconciliation/reading/read_id'
import { streamRows } from '#shared/stream_rows'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

// Not where somebody has said that the rows there are of something else, nor where they say that nobody paid.
const SOLD_ELSEWHERE = `EXISTS (
  SELECT 1 FROM partner_register_case_orders o
    JOIN partner_register_case_orders other ON other.order_id = o.order_id AND other.register_id <> o.register_id
    JOIN partner_register_cases found ON found.id = other.case_id AND found.sales_tenge > 0
     AND found.category <> 'STATUS_DIFF' AND found.decision IS DISTINCT FROM 'rejected'
    JOIN partner_registers r2 ON r2.id = other.register_id AND r2.state = 'confirmed'
   WHERE o.case_id = c.id)`

const DAYS = ['r.period_from', 'r.period_to'] as const
const IS_OF_DAYS = `coalesce(${statementPeriod(...DAYS)} = 'this', ${isInPeriod(...DAYS)})`
const VOID_IN_DAYS = `(SELECT coalesce(sum(t.price_tenge), 0) FROM tickets t
  WHERE t.order_id = o.id AND t.status = 'void' AND t.voided_at >= r.period_from AND t.voided_at < r.period_to)`

/**
 * Takes the partner. An order that one register lacks and another has is missing in none; a row that is there twice or of
 * which nothing came is no evidence.
 */
const CASES = `
  SELECT r.id AS "registerId", r.period_from AS "periodFrom", r.period_to AS "periodTo", c.category, c.decision, c.sales_tenge AS "salesTenge",
         c.refunds_tenge AS "refundsTenge", c.refunded_tenge AS "refundedTenge", c.exposure_tenge AS "exposureTenge", c.why, c.meant_order_id AS "meantOrderId",
         EXISTS (SELECT 1 FROM orders o WHERE o.id = c.meant_order_id AND o.partner_id = :partnerId) AS "isMeantOurs",
         (c.decision = 'rejected' OR c.category = 'REFUND_DIFF') IS TRUE AND ${SOLD_ELSEWHERE} AS "isElsewhere",
         coalesce(ours.orders, '[]') AS orders, coalesce(theirs.rows, '[]') AS rows
    FROM partner_registers r JOIN partner_register_cases c ON c.register_id = r.id,
         LATERAL (SELECT jsonb_agg(jsonb_build_object('id', listed.order_id, 'total', listed.total_tenge,
                                   'tenge', listed.total_tenge - listed.refunded_tenge,
                                   'voidInDays', ${VOID_IN_DAYS}, 'isOfDays', ${IS_OF_DAYS}) ORDER BY listed.order_id) AS orders
                    FROM partner_register_case_orders listed JOIN orders o ON o.id = listed.order_id ${SALE_IN_STATEMENT}
                   WHERE listed.case_id = c.id) ours,
         LATERAL (SELECT jsonb_agg(jsonb_build_object('line', w.line, 'at', w.at, 'paymentId', w.payment_id,
                                   'order', coalesce(w.order_id, w.order_key),
                                   'sold', CASE WHEN w.kind = 'sale' AND NOT w.is_not_paid THEN w.amount_tenge END,
                                   'returned', CASE WHEN w.kind = 'refund' AND NOT w.is_not_paid THEN -w.amount_tenge END) ORDER BY w.line) AS rows
                    FROM partner_register_case_rows l JOIN partner_register_rows w USING (register_id, line)
                   WHERE l.case_id = c.id) theirs
   WHERE r.partner_id = :partnerId AND r.state = 'confirmed'
     AND (c.category IN ('MISSING_AT_PLATFORM', 'MISSING_AT_PARTNER', 'REFUND_DIFF') OR c.refunds_tenge > 0
          OR c.category IN ('AMOUNT_DIFF', 'FEE_INCLUDED') AND c.refunded_tenge > 0
          OR c.category = 'STATUS_DIFF' AND c.meant_order_id IS NOT NULL
          OR c.decision = 'rejected' OR c.why @> '[{"code": "NET_OF_REFUND"}]')
     AND (c.category <> 'DUP_IN_FILE' OR c.decision = 'rejected')
     AND NOT (c.category = 'MISSING_AT_PARTNER' AND ${SOLD_ELSEWHERE})
   ORDER BY r.id, c.place`

/** What a partner's confirmed registers say of its orders: what is missing on either side, and which refunds they show. */
export class RegisterEvidence {
  readonly #orders = new Map<string, OrderEvidence>()
  /** Folded name of an order that we never had → how a register spells it first, and what is said of it. */
  readonly #unknown = new Map<string, { name: string; evidence: OrderEvidence }>()

  private constructor(private readonly names: NamedPayments) {}

  static async of(partnerId: number, trx: TransactionClientContract) {
    const evidence = new RegisterEvidence(await readNamedPayments(partnerId, trx))
    for await (const row of streamRows<EvidenceRow>(CASES, { partnerId }, trx)) evidence.#take(row)
    return evidence
  }

  addTo(order: OrderFacts) {
    const found = this.#orders.get(order.id)
    if (!found) return
    const { attempts, unsigned = [], payment } = order
    const spell = spelling([payment, ...attempts, ...unsigned].map((one) => one?.paymentId))
    order.registered = found.facts(spell)
    order.refundsSeen = found.refundsSeen(spell, isOfTickets(order))
  }

  /** Orders that we never had: money was taken for them in [from, to), or they are asked for by name. */
  *unknownIn({ from, to }: { from: Date; to: Date }, asked: string[]) {
    const names = new Set(asked.map(foldId))
    const isIn = (at: number) => at >= from.getTime() && at < to.getTime()
    for (const [folded, { name, evidence }] of this.#unknown) {
      const { chargedAt } = evidence
      if (chargedAt.some(isIn) || (names.has(folded) && chargedAt.length > 0)) yield name
    }
  }

  /** As registers first spell an order that we never had; itself where none does. */
  spellingOf(id: string) {
    return this.#unknown.get(foldId(id))?.name ?? id
  }

  /** Takes the confirms that sent its name, as one of which it is told. */
  evidenceOfUnknownOrder(name: string, strays: AttemptFacts[]): UnknownOrder | null {
    const found = this.#unknown.get(foldId(name))?.evidence
    if (!found || (found.chargedAt.length === 0 && strays.length === 0)) return null
    const spell = spelling(strays.map(({ paymentId }) => paymentId))
    return {
      id: strays[0]?.orderIdSent ?? name,
      at: earliest(found.chargedAt),
      registered: found.facts(spell),
      refundsSeen: found.refundsSeen(spell, () => true),
    }
  }

  #take(row: EvidenceRow) {
    const isNamed = row.meantOrderId !== null || row.rows.some(({ order }) => order !== null)
    for (const said of evidenceOf(row))
      for (const one of said.isOurs ? [said] : this.names.share(said, isNamed)) this.#add(one, row)
  }

  #add({ orderId, isOurs, facts, refunds }: ReportedOrder, row: EvidenceRow) {
    const evidence = isOurs ? this.#ofOurs(orderId) : this.#ofUnknown(orderId)
    for (const fact of facts) evidence.add(fact, row)
    for (const refund of refunds) evidence.addRefund(refund, row)
  }

  #ofOurs(id: string) {
    const known = this.#orders.get(id) ?? new OrderEvidence()
    this.#orders.set(id, known)
    return known
  }

  #ofUnknown(name: string) {
    const folded = foldId(name)
    const known = this.#unknown.get(folded) ?? { name, evidence: new OrderEvidence() }
    this.#unknown.set(folded, known)
    return known.evidence
  }
}

/** Evidence of partners' confirmed registers. */
export class RegisterEvidenceSource extends EvidenceSource {
  override read = (partnerId: number, trx: TransactionClientContract) =>
    RegisterEvidence.of(partnerId, trx)
}
