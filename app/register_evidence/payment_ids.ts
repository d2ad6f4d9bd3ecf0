import { foldId } from '#register_reading/read_id'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Returns the one spelling of a payment id of an order, whatever a spreadsheet made of it. */
export type Spell = (paymentId: string | null) => string | null

/** Spells a payment id as confirms do, otherwise as the first register with it. */
export function spelling(known: Iterable<string | null | undefined>): Spell {
  const exact = new Set<string>()
  for (const id of known) if (id) exact.add(id)
  const first = new Map([...exact].map((id) => [foldId(id), id]))
  return (paymentId) => {
    if (paymentId === null || exact.has(paymentId)) return paymentId
    const folded = foldId(paymentId)
    const spelled = first.get(folded) ?? paymentId
    first.set(folded, spelled)
    return spelled
  }
}

/** A payment id as it stands, without what a spreadsheet has put around it, and folded. */
export function spellingsOf(paymentId: string): string[] {
  const bare = paymentId.replace(/^['’‘`\s]+/, '').trim()
  return [...new Set([paymentId, bare, foldId(paymentId)])]
}

// Orders are compared with ANY, which their index finds in one pass: joined, PostgreSQL would rather read the orders of everybody. The
// others are joined: without an index that fits, a prepared plan looks through an array of ten thousand for every row.
const selectOrders = statement<
  { paymentId: string; orderId: string },
  { partnerId: number; payments: string[] }
>(
  'register_evidence_orders_of_payments',
  `WITH asked AS MATERIALIZED (SELECT DISTINCT unnest(:payments::text[]) AS payment),
        confirms AS (
          SELECT a.* FROM asked JOIN confirm_attempts a ON a.external_payment_id = payment AND a.http_status <> 200
           UNION ALL
          SELECT a.* FROM asked JOIN confirm_attempts a ON a.external_payment_id = payment AND a.names_other_payment)
   SELECT external_payment_id AS "paymentId", order_id_sent AS "orderId" FROM confirms WHERE partner_id = :partnerId AND signature_valid
    UNION ALL
   SELECT payment_external_id, id FROM orders WHERE payment_external_id = ANY(:payments::text[]) AND partner_id = :partnerId
    UNION ALL
   SELECT n.payment_id, n.order_id
     FROM asked JOIN partner_register_named_payments n ON n.payment_id = payment
     JOIN partner_registers r ON r.id = n.register_id AND r.partner_id = :partnerId AND r.state = 'confirmed'`
)

/**
 * Orders that confirms or matched rows name with these payments, also where a spreadsheet has put something around them. An order may
 * come several times.
 */
export async function ordersOfPayments(
  partnerId: number,
  paymentIds: string[],
  trx: TransactionClientContract
) {
  const payments = [...new Set(paymentIds.flatMap(spellingsOf))]
  return payments.length === 0 ? [] : selectOrders({ partnerId, payments }, trx)
}
