import { foldId } from '#reconciliation/reading/read_id'
import type { RegisterDays } from '#defects/facts/register_facts'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const selectDays = statement<
  { source: string; from: Date; to: Date; coversRefunds: boolean },
  { partnerId: number }
>(
  'register_evidence_days',
  `SELECT id::text AS source, period_from AS "from", period_to AS "to", true AS "coversRefunds"
     FROM partner_registers WHERE partner_id = :partnerId AND state = 'confirmed' ORDER BY id`
)

/** The days of all confirmed registers of a partner. */
export async function readDays(
  partnerId: number,
  trx: TransactionClientContract
): Promise<RegisterDays[]> {
  const days = await selectDays({ partnerId }, trx)
  return days.map((one) => ({ ...one, from: one.from.getTime(), to: one.to.getTime() }))
}

const selectOrders = statement<
  { paymentId: string; orderIds: string[] },
  { partnerId: number; payments: string[] }
>(
  'register_evidence_orders_of_payments',
  `SELECT payment AS "paymentId", array_agg(DISTINCT id) AS "orderIds"
     FROM (SELECT external_payment_id AS payment, order_id_sent AS id FROM confirm_attempts
            WHERE partner_id = :partnerId AND signature_valid AND http_status <> 200
              AND external_payment_id = ANY(:payments::text[])
           UNION
           SELECT payment_external_id, id FROM orders
            WHERE partner_id = :partnerId AND payment_external_id = ANY(:payments::text[])) named
    GROUP BY payment`
)

/** Orders that confirms name with these payments, also where a spreadsheet has put something around them. */
export async function ordersOfPayments(
  partnerId: number,
  spellings: string[],
  trx: TransactionClientContract
) {
  const whole = spellings.map((one) => one.replace(/^['’‘`\s]+/, '').trim())
  const payments = [...new Set([...spellings, ...whole, ...spellings.map(foldId)])]
  return payments.length === 0 ? [] : selectOrders({ partnerId, payments }, trx)
}
