import { NamedPayments, type NamedRow } from '#settlement/registers/named_payments'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** As numbers lose their zeros in a spreadsheet, and letters their case. */
const folded = (column: string) => `upper(ltrim(${column}, '0'))`

/** Takes the partner: payments of money without an order. */
const NAMELESS = `
  SELECT DISTINCT ${folded('w.payment_id')} AS payment
    FROM partner_registers r
    JOIN partner_register_cases c ON c.register_id = r.id AND c.meant_order_id IS NULL
     AND (c.category = 'MISSING_AT_PLATFORM' OR c.decision = 'rejected')
    JOIN partner_register_case_rows l ON l.case_id = c.id
    JOIN partner_register_rows w ON w.register_id = l.register_id AND w.line = l.line
   WHERE r.partner_id = ? AND r.state = 'confirmed'
     AND w.payment_id IS NOT NULL AND w.order_key IS NULL AND w.order_id IS NULL`

/** Takes the partner and payments. */
const NAMED = `
  SELECT r.id AS "registerId", w.payment_id AS "paymentId",
         coalesce(listed.order_id, c.meant_order_id, w.order_id, w.order_key) AS "orderId",
         EXISTS (SELECT 1 FROM orders o WHERE o.id = coalesce(listed.order_id, c.meant_order_id) AND o.partner_id = r.partner_id) AS "isOurs",
         listed.order_id IS NOT NULL AS "isSale", coalesce(listed.total_tenge, w.amount_tenge) AS tenge
    FROM partner_registers r
    JOIN partner_register_rows w ON w.register_id = r.id AND w.kind = 'sale' AND NOT w.is_not_paid
    JOIN partner_register_case_rows l ON l.register_id = w.register_id AND l.line = w.line
    JOIN partner_register_cases c ON c.id = l.case_id AND c.category NOT IN ('DUP_IN_FILE', 'OUT_OF_SCOPE', 'UNPARSEABLE')
    LEFT JOIN partner_register_case_orders listed ON listed.case_id = c.id AND c.decision IS DISTINCT FROM 'rejected'
   WHERE r.partner_id = ? AND r.state = 'confirmed' AND ${folded('w.payment_id')} = ANY(?)
     AND coalesce(w.order_key, w.order_id) IS NOT NULL
   ORDER BY r.id, w.line`

/** What a partner's confirmed registers name orders of, where they do not everywhere. */
export async function readNamedPayments(partnerId: number, trx: TransactionClientContract) {
  const nameless = await trx.rawQuery<{ rows: { payment: string }[] }>(NAMELESS, [partnerId])
  const payments = nameless.rows.map(({ payment }) => payment)
  if (payments.length === 0) return new NamedPayments([])
  const named = await trx.rawQuery<{ rows: NamedRow[] }>(NAMED, [partnerId, payments])
  return new NamedPayments(named.rows)
}
