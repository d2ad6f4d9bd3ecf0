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

// Joined, not compared with ANY: a prepared plan looks through an array of ten thousand for every row.
const selectOrders = statement<
  { paymentId: string; orderIds: string[] },
  { partnerId: number; payments: string[]; indexed: string[] }
>(
  'register_evidence_orders_of_payments',
  `WITH asked AS MATERIALIZED (SELECT DISTINCT unnest(:payments::text[]) AS payment),
        confirms AS (
          SELECT payment, a.* FROM asked JOIN confirm_attempts a ON a.external_payment_id = payment AND a.http_status <> 200
           UNION ALL
          SELECT payment, a.* FROM asked JOIN confirm_attempts a ON a.external_payment_id = payment AND a.names_other_payment)
   SELECT payment AS "paymentId", array_agg(DISTINCT id) AS "orderIds"
     FROM (SELECT payment, order_id_sent AS id FROM confirms WHERE partner_id = :partnerId AND signature_valid
           UNION
           SELECT payment, o.id FROM asked JOIN orders o ON o.payment_external_id = payment AND o.partner_id = :partnerId
           UNION
           SELECT w.payment_id, o.order_id
             FROM (SELECT DISTINCT unnest(:indexed::text[]) AS beginning) part
             JOIN partner_register_rows w ON left(w.payment_id, ${INDEXED}) = part.beginning
             JOIN partner_registers r ON r.id = w.register_id
             JOIN partner_register_case_rows l ON l.register_id = w.register_id AND l.line = w.line
             JOIN partner_register_case_orders o ON o.case_id = l.case_id
            WHERE r.partner_id = :partnerId AND r.state = 'confirmed') named
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
