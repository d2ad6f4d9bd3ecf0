import { MAX_ORDERS_OF_A_PAYMENT } from '#defects/facts/placeholder_ids'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * A payment id of more orders than one payment can pay. Nobody knows what was charged for them, so the id has one case of its own
 * and joins nothing else.
 */
export interface ConstantId {
  paymentId: string
  /** Paid orders with it, at any time. */
  orders: number
  /** Prices of their valid tickets. */
  boughtTenge: bigint
  /** The total of the largest of them: at least so much was charged. */
  largestTenge: bigint
  /** The first of them, which its case lists. */
  orderIds: string[]
}

/** Payment ids of several orders that are no payment of theirs. */
export interface SharedIds {
  /** All of them: dummy texts and constants. They join nothing. */
  meaninglessIds: ReadonlySet<string>
  constantIds: ReadonlyMap<string, ConstantId>
}

/** A case lists no more orders than people can look at; the sums are of all. */
const MOST_LISTED = 500

const select = statement<
  ConstantId,
  { partnerId: number; ids: string[]; overShared: string[]; most: number; listed: number }
>(
  'defects_constant_ids',
  `SELECT named.id AS "paymentId", paid.*,
          ARRAY(SELECT o.id::text FROM orders o
                 WHERE o.payment_external_id = named.id AND o.partner_id = :partnerId AND o.confirmed_at IS NOT NULL
                 ORDER BY o.id LIMIT :listed) AS "orderIds"
     FROM unnest(:ids::text[]) AS named (id)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS orders, max(o.total_tenge)::bigint AS "largestTenge",
             sum((SELECT coalesce(sum(t.price_tenge), 0) FROM tickets t
                   WHERE t.order_id = o.id AND t.status <> 'void'))::bigint AS "boughtTenge"
        FROM orders o
       WHERE o.payment_external_id = named.id AND o.partner_id = :partnerId AND o.confirmed_at IS NOT NULL) paid
    WHERE paid.orders > :most OR (paid.orders > 0 AND named.id = ANY (:overShared::text[]))
    ORDER BY named.id`
)
// Of a case without news in the period: its payment id still is none.
const selectKnown = statement<{ id: string }, { partnerId: number; most: number }>(
  'defects_payments_of_large_cases',
  `SELECT DISTINCT unnest(payment_ids) AS id FROM settlement_cases
    WHERE partner_id = :partnerId AND cardinality(order_ids) > :most`
)

/** The constants among payment ids that several orders have, and among those of large cases. */
export async function findConstantIds(
  partnerId: number,
  { shared, overShared }: { shared: string[]; overShared: string[] },
  trx: TransactionClientContract
): Promise<ConstantId[]> {
  const most = MAX_ORDERS_OF_A_PAYMENT
  const known = await selectKnown({ partnerId, most }, trx)
  const ids = [...new Set([...shared, ...known.map(({ id }) => id)])]
  if (ids.length === 0) return []
  return select({ partnerId, ids, overShared, most, listed: MOST_LISTED }, trx)
}
