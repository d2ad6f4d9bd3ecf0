import { NamedPayments, type NamedRow } from '#reconciliation/evidence/named_payments'
import { foldId } from '#reconciliation/reading/read_id'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** As much of it as the index has. */
const INDEXED = 64

/** Takes the partner: payments of money without an order of ours. */
const STRANGE = `
  SELECT DISTINCT w.payment_id AS payment
    FROM partner_registers r
    JOIN partner_register_cases c ON c.register_id = r.id AND c.meant_order_id IS NULL
     AND (c.category = 'MISSING_AT_PLATFORM' OR c.decision = 'rejected')
    JOIN partner_register_case_rows l ON l.case_id = c.id
    JOIN partner_register_rows w ON w.register_id = l.register_id AND w.line = l.line
   WHERE r.partner_id = ? AND r.state = 'confirmed' AND w.payment_id IS NOT NULL`

/** Takes the partner and payments. */
const NAMED = `
  SELECT r.id AS "registerId", w.payment_id AS "paymentId", w.amount_tenge AS tenge,
         coalesce(listed.order_id, c.meant_order_id, w.order_id, w.order_key) AS "orderId",
         EXISTS (SELECT 1 FROM orders o WHERE o.id = coalesce(listed.order_id, c.meant_order_id) AND o.partner_id = r.partner_id) AS "isOurs",
         listed.total_tenge AS "totalTenge",
         (SELECT coalesce(sum(t.price_tenge), 0) FROM tickets t WHERE t.order_id = listed.order_id AND t.status = 'void') AS "voidTenge"
    FROM partner_registers r
    JOIN partner_register_rows w ON w.register_id = r.id AND w.kind = 'sale' AND NOT w.is_not_paid
    JOIN partner_register_case_rows l ON l.register_id = w.register_id AND l.line = w.line
    JOIN partner_register_cases c ON c.id = l.case_id AND c.category NOT IN ('DUP_IN_FILE', 'UNPARSEABLE')
    LEFT JOIN partner_register_case_orders listed ON listed.case_id = c.id AND c.decision IS DISTINCT FROM 'rejected'
   WHERE r.partner_id = ? AND r.state = 'confirmed' AND left(w.payment_id, ${INDEXED}) = ANY(?)
     AND coalesce(listed.order_id, w.order_key, w.order_id) IS NOT NULL
     AND (listed.order_id IS NOT NULL OR c.category <> 'OUT_OF_SCOPE')
   ORDER BY r.id, w.line`

/** What a partner's confirmed registers name orders of, where they do not all name the same. */
export async function readNamedPayments(partnerId: number, trx: TransactionClientContract) {
  const strange = await trx.rawQuery<{ rows: { payment: string }[] }>(STRANGE, [partnerId])
  const payments = new Set(strange.rows.flatMap(({ payment }) => [payment, ...spelledAs(payment)]))
  if (payments.size === 0) return new NamedPayments([])
  const indexed = [...payments].map((payment) => [...payment].slice(0, INDEXED).join(''))
  const named = await trx.rawQuery<{ rows: NamedRow[] }>(NAMED, [partnerId, indexed])
  return new NamedPayments(named.rows)
}

/** Without what a spreadsheet puts around it or takes away. */
const spelledAs = (payment: string) => [foldId(payment), payment.replace(/^['’‘`\s]+/, '').trim()]
