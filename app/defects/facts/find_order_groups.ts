import { isCaseOfConstantId, namesNoPayment } from '#defects/facts/placeholder_ids'
import { OrderGroups } from '#defects/facts/order_groups'
import { streamRows } from '#shared/stream_rows'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** How long before and after the period the same payment id is looked for. */
const REACH = `interval '7 days'`

const SHARED_PAYMENTS = `
  SELECT external_payment_id AS "paymentId", array_agg(DISTINCT order_id_sent) AS orders FROM confirm_attempts
   WHERE partner_id = :partnerId AND received_at >= :from::timestamptz - ${REACH} AND received_at < :to::timestamptz + ${REACH}
     AND external_payment_id IS NOT NULL AND signature_valid
   GROUP BY external_payment_id HAVING count(DISTINCT order_id_sent) > 1`

/** Groups orders whose confirms, accepted or refused, have the same payment id. */
export async function findOrderGroups(
  { partnerId, from, to }: { partnerId: number; from: Date; to: Date },
  trx: TransactionClientContract
): Promise<OrderGroups> {
  const groups = new OrderGroups()
  const rows = streamRows<{ paymentId: string; orders: string[] }>(
    SHARED_PAYMENTS,
    { partnerId, from, to },
    trx
  )
  for await (const { paymentId, orders } of rows) {
    if (namesNoPayment(paymentId, orders.length)) groups.sharedPlaceholders.add(paymentId)
    else groups.join(orders)
    if (isCaseOfConstantId(paymentId, orders.length)) groups.join(orders)
  }
  return groups
}
