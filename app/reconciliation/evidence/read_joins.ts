import { foldId } from '#register_reading/read_id'
import type { RegisterDays } from '#defects/facts/register_facts'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const selectDays = statement<
  { source: string; from: Date; to: Date; coversSales: boolean; coversRefunds: boolean },
  { partnerId: number }
>(
  'register_evidence_days',
  `SELECT r.source_id::text AS source, r.period_from AS "from", r.period_to AS "to",
          r.covers_sales AS "coversSales", r.covers_refunds AS "coversRefunds"
     FROM partner_registers r WHERE r.partner_id = :partnerId AND r.state = 'confirmed' ORDER BY r.id`
)

/** The days of all confirmed registers of a partner. */
export async function readDays(
  partnerId: number,
  trx: TransactionClientContract
): Promise<RegisterDays[]> {
  const days = await selectDays({ partnerId }, trx)
  return days.map((one) => ({ ...one, from: one.from.getTime(), to: one.to.getTime() }))
}

/** As much of a payment id as the index of register rows has. */
const INDEXED = 64

const selectOrders = statement<
  { paymentId: string; orderIds: string[] },
  { partnerId: number; payments: string[]; indexed: string[] }
>(
  'register_evidence_orders_of_payments',
  `SELECT payment AS "paymentId", array_agg(DISTINCT id) AS "orderIds"
     FROM (SELECT external_payment_id AS payment, order_id_sent AS id FROM confirm_attempts
            WHERE partner_id = :partnerId AND signature_valid AND http_status <> 200
              AND external_payment_id = ANY(:payments::text[])
           UNION
           SELECT external_payment_id, order_id_sent FROM confirm_attempts
            WHERE partner_id = :partnerId AND signature_valid AND names_other_payment
              AND external_payment_id = ANY(:payments::text[])
           UNION
           SELECT payment_external_id, id FROM orders
            WHERE partner_id = :partnerId AND payment_external_id = ANY(:payments::text[])
           UNION
           SELECT w.payment_id, o.order_id
             FROM partner_registers r
             JOIN partner_register_rows w ON w.register_id = r.id
             JOIN partner_register_case_rows l ON l.register_id = w.register_id AND l.line = w.line
             JOIN partner_register_case_orders o ON o.case_id = l.case_id
            WHERE r.partner_id = :partnerId AND r.state = 'confirmed' AND left(w.payment_id, ${INDEXED}) = ANY(:indexed::text[])) named
    GROUP BY payment`
)

/** Orders that confirms or matched rows name with these payments, also where a spreadsheet has put something around them. */
export async function ordersOfPayments(
  partnerId: number,
  spellings: string[],
  trx: TransactionClientContract
) {
  const whole = spellings.map((one) => one.replace(/^['’‘`\s]+/, '').trim())
  const payments = [...new Set([...spellings, ...whole, ...spellings.map(foldId)])]
  const indexed = payments.map((payment) => [...payment].slice(0, INDEXED).join(''))
  return payments.length === 0 ? [] : selectOrders({ partnerId, payments, indexed }, trx)
}
