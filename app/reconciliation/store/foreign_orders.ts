import { ORDINARY_PAYMENT_ID } from '#defects/facts/ordinary_orders'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** An order of another partner is looked for among so many with the payment id: it is no name of one payment then. */
const MOST_ORDERS_OF_A_PAYMENT = 20

/**
 * SQL, for `WITH`: `named` has the rows of a register that name an order of another partner, by the id that we gave the order; or by its
 * payment id, if the sum and, where the row has one, the partner's own number are the order's. Payment ids alone are not unique across
 * partners: short ones, and those of banks with their own numbers, are left out.
 */
export const FOREIGN_ROWS = `unknown AS (
     SELECT l.case_id, r.line, r.order_id, r.order_key, r.amount_tenge,
            CASE WHEN length(r.payment_id) >= :leastLength AND r.payment_id ~ :pattern AND s.payment_ids_are <> 'own'
                 THEN r.payment_id END AS payment_id
       FROM partner_register_cases c JOIN partner_registers p ON p.id = c.register_id JOIN register_sources s ON s.id = p.source_id
       JOIN partner_register_case_rows l ON l.case_id = c.id
       JOIN partner_register_rows r ON r.register_id = l.register_id AND r.line = l.line
      WHERE c.register_id = :registerId AND c.category IN ('MISSING_AT_PLATFORM', 'OUT_OF_SCOPE')),
   named AS (
     SELECT r.case_id, r.line, o.id AS "order", r.amount_tenge AS tenge,
            CASE WHEN o.id = r.order_id THEN 'orderId' ELSE 'partnerOrderId' END AS field, o.id::text AS found
       FROM unknown r JOIN orders o ON o.id IN (r.order_id, r.order_key)
      WHERE o.partner_id <> :partnerId
     UNION ALL
     SELECT r.case_id, r.line, o.id, r.amount_tenge, 'paymentId', r.payment_id
       FROM unknown r, LATERAL (SELECT * FROM orders WHERE payment_external_id = r.payment_id LIMIT ${MOST_ORDERS_OF_A_PAYMENT}) o
      WHERE o.partner_id <> :partnerId AND o.total_tenge = abs(r.amount_tenge)
        AND (r.order_key IS NULL OR o.partner_order_id = r.order_key))`

/** The parameters of `FOREIGN_ROWS`. */
export interface ForeignRowParams {
  registerId: number
  partnerId: number
  leastLength: number
  pattern: string
}
type Register = { id: number; partnerId: number }

export const foreignRowParams = ({ id, partnerId }: Register): ForeignRowParams => ({
  registerId: id,
  partnerId,
  ...ORDINARY_PAYMENT_ID,
})

// The reason names neither the order nor its partner.
const updateReasons = statement<object, ForeignRowParams>(
  'register_foreign_reasons',
  `WITH ${FOREIGN_ROWS}
   UPDATE partner_register_cases SET why = '[{"code": "ORDER_OF_OTHER_PARTNER"}]'
    WHERE id IN (SELECT case_id FROM named) AND why -> 0 ->> 'code' IN ('UNKNOWN_ORDER', 'REFUND_OF_UNKNOWN_SALE')`
)

/** Changes the reason of matched rows without an order of ours where they name an order of another partner. */
export const explainForeignOrders = (register: Register, trx: TransactionClientContract) =>
  updateReasons(foreignRowParams(register), trx)
