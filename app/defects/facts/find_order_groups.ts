import { findConstantIds, type SharedIds } from '#defects/facts/constant_ids'
import {
  isOverShared,
  isPlaceholder,
  MAX_ORDERS_OF_A_PAYMENT,
} from '#defects/facts/placeholder_ids'
import { OrderGroups } from '#defects/facts/order_groups'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** How long before and after the period the same payment id is looked for. */
const REACH = `interval '7 days'`

const CONFIRMS_WITH_PAYMENT = `partner_id = :partnerId AND received_at >= :from::timestamptz - ${REACH} AND received_at < :to::timestamptz + ${REACH}
      AND external_payment_id IS NOT NULL AND signature_valid`

// Nearly all payments have one order: dropped first, they are not sorted. One order more than a payment can have shows that it has
// too many.
const selectShared = statement<
  { paymentId: string; orders: string[] },
  { partnerId: number; from: Date; to: Date; most: number }
>(
  'defects_shared_payments',
  `WITH shared AS (
     SELECT external_payment_id FROM confirm_attempts WHERE ${CONFIRMS_WITH_PAYMENT}
      GROUP BY external_payment_id HAVING min(order_id_sent) <> max(order_id_sent))
   SELECT external_payment_id AS "paymentId", (array_agg(DISTINCT order_id_sent))[1 : :most::int + 1] AS orders
     FROM shared JOIN confirm_attempts USING (external_payment_id) WHERE ${CONFIRMS_WITH_PAYMENT}
    GROUP BY external_payment_id`
)

/** Groups orders whose confirms, accepted or refused, have the same payment id; the orders of a constant id are a group too. */
export async function findOrderGroups(
  { partnerId, from, to }: { partnerId: number; from: Date; to: Date },
  trx: TransactionClientContract
): Promise<{ groups: OrderGroups; ids: SharedIds }> {
  const groups = new OrderGroups()
  const found = await selectShared({ partnerId, from, to, most: MAX_ORDERS_OF_A_PAYMENT }, trx)
  const shared = found.map(({ paymentId }) => paymentId)
  const overShared = found
    .filter(({ orders }) => isOverShared(orders.length))
    .map(({ paymentId }) => paymentId)
  const constants = await findConstantIds(partnerId, { shared, overShared }, trx)
  const constantIds = new Map(constants.map((one) => [one.paymentId, one]))
  const placeholders = shared.filter(isPlaceholder)
  const meaninglessIds = new Set([...overShared, ...constantIds.keys(), ...placeholders])
  for (const { orderIds } of constants) groups.join(orderIds)
  for (const { paymentId, orders } of found) if (!meaninglessIds.has(paymentId)) groups.join(orders)
  return { groups, ids: { meaninglessIds, constantIds } }
}
