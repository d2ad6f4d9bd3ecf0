import type { OrderFacts } from '#settlement/defects/facts'
import type { RegisterFacts, UnknownMoney } from '#settlement/defects/registers'
import {
  evidenceOf,
  type EvidenceRow,
  type OrderEvidence,
} from '#settlement/registers/register_evidence'
import { streamRows } from '#shared/stream_rows'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Takes the partner. An order that one register lacks and another has is missing in none. */
const CASES = `
  SELECT r.id AS "registerId", r.period_from AS "periodFrom", c.category, c.decision, c.sales_tenge AS "salesTenge",
         c.refunds_tenge AS "refundsTenge", c.refunded_tenge AS "refundedTenge", c.exposure_tenge AS "exposureTenge",
         c.exposure_party AS "exposureParty", c.why, c.meant_order_id AS "meantOrderId",
         EXISTS (SELECT 1 FROM orders o WHERE o.id = c.meant_order_id AND o.partner_id = $1) AS "isMeantOurs",
         coalesce(ours.orders, '[]') AS orders, coalesce(theirs.rows, '[]') AS rows
    FROM partner_registers r JOIN partner_register_cases c ON c.register_id = r.id,
         LATERAL (SELECT jsonb_agg(jsonb_build_object('id', o.order_id, 'tenge', o.total_tenge - o.refunded_tenge)
                                   ORDER BY o.order_id) AS orders
                    FROM partner_register_case_orders o WHERE o.case_id = c.id) ours,
         LATERAL (SELECT jsonb_agg(jsonb_build_object('line', w.line, 'at', w.at, 'paymentId', w.payment_id,
                                   'id', coalesce(w.order_id, w.order_key, w.payment_id)) ORDER BY w.line) AS rows
                    FROM partner_register_case_rows l JOIN partner_register_rows w USING (register_id, line)
                   WHERE l.case_id = c.id) theirs
   WHERE r.partner_id = $1 AND r.state = 'confirmed'
     AND (c.category IN ('MISSING_AT_PLATFORM', 'MISSING_AT_PARTNER', 'REFUND_DIFF') OR c.refunds_tenge > 0
          OR c.decision = 'rejected')
     AND (c.category <> 'MISSING_AT_PARTNER' OR NOT EXISTS (
           SELECT 1 FROM partner_register_case_orders o
             JOIN partner_register_case_orders other ON other.order_id = o.order_id AND other.register_id <> o.register_id
             JOIN partner_register_cases found ON found.id = other.case_id AND found.category <> 'MISSING_AT_PARTNER'
             JOIN partner_registers r2 ON r2.id = other.register_id AND r2.state = 'confirmed'
            WHERE o.case_id = c.id))
   ORDER BY r.id, c.place`

/** What a partner's confirmed registers say of its orders: what is missing on either side, and which refunds they show. */
export class RegisterEvidence {
  readonly #orders = new Map<string, OrderEvidence>()
  readonly #unknown = new Map<string, UnknownMoney[]>()

  static async of(partnerId: number, trx: TransactionClientContract) {
    const evidence = new RegisterEvidence()
    for await (const row of streamRows<EvidenceRow>(CASES, [partnerId], trx)) evidence.#take(row)
    return evidence
  }

  addTo(order: OrderFacts) {
    const found = this.#orders.get(order.id)
    if (!found) return
    order.registered = found.registered
    order.refundSeenTenge = found.refundSeenTenge
  }

  /** Money for orders that we never had, taken in [from, to), under what the partner calls them. */
  unknownIn({ from, to }: { from: Date; to: Date }): [id: string, money: UnknownMoney[]][] {
    const isIn = ({ at }: UnknownMoney) => at >= from.getTime() && at < to.getTime()
    return [...this.#unknown]
      .map(([id, money]) => [id, money.filter(isIn)] as [string, UnknownMoney[]])
      .filter(([, money]) => money.length > 0)
  }

  #take(row: EvidenceRow) {
    for (const { orderId, fact, refundSeenTenge } of evidenceOf(row)) {
      if (orderId === null) this.#add(fact as UnknownMoney)
      else this.#note(orderId, fact, refundSeenTenge)
    }
  }

  #add(money: UnknownMoney) {
    this.#unknown.set(money.id, [...(this.#unknown.get(money.id) ?? []), money])
  }

  #note(orderId: string, fact: RegisterFacts | null, refundSeenTenge: bigint) {
    const found = this.#orders.get(orderId) ?? { registered: [], refundSeenTenge: 0n }
    this.#orders.set(orderId, {
      registered: fact ? [...found.registered, fact] : found.registered,
      refundSeenTenge: found.refundSeenTenge + refundSeenTenge,
    })
  }
}
