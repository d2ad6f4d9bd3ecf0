import { noTally, type Tally } from '#defects/facts/partner_tally'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * Ordinary orders: no rule of any rule set finds anything in them. Nearly all orders of a month are ordinary, so PostgreSQL counts
 * them and only the others are read.
 *
 * Example, of orders whose window ends at 12:05:00:
 *   never paid, no confirm                                      ordinary
 *   charged at 12:00:20, confirmed once at 12:00:30             ordinary
 *   charged at 12:00:20, confirmed at 12:04:30                  read: a slow confirm
 *   confirmed twice                                             read: the confirms may differ
 *   a void ticket, in a register that differs, or paid with the payment of another order
 *                                                               read: one of the `known` orders
 */

/** A confirm that comes within this share of the window after the charge is slow for no rule set. */
export const QUICK_SHARE = 0.25

/**
 * Every placeholder is shorter, or has no digit from 2 to 9, or a blank or a letter that is not ASCII. The length stands apart: PostgreSQL
 * takes three times as long for a pattern with `{8,}`.
 */
export const ORDINARY_PAYMENT_ID = { leastLength: 8, pattern: '^[!-~]*[2-9][!-~]*$' }

const IS_ORDINARY_PAYMENT = `
  o.total_tenge > 0 AND o.payment_paid_at >= o.created_at
  AND (o.payment_paid_at_raw LIKE '%+05:00' OR o.payment_paid_at_raw LIKE '%Z')
  AND length(o.payment_external_id) >= ${ORDINARY_PAYMENT_ID.leastLength}
  AND o.payment_external_id ~ '${ORDINARY_PAYMENT_ID.pattern}'
  AND o.payment_external_id <> ALL (:meaningless::text[])`

const IS_ORDINARY_CONFIRM = `
  a.http_status = 200 AND a.amount_tenge = o.total_tenge
  AND a.external_payment_id = o.payment_external_id AND a.paid_at = o.payment_paid_at
  AND a.received_at >= a.paid_at AND a.received_at < o.window_ends_at
  AND a.received_at - a.paid_at <= (o.window_ends_at - o.created_at) * ${QUICK_SHARE}`

/** As `isSynthetic` (partner_tally.ts), for ordinary orders alone: a charge between its order and its confirm has a second of ten digits. */
const IS_SYNTHETIC = `
  extract(second FROM o.payment_paid_at) < 1
  OR date_trunc('second', o.payment_paid_at) = date_trunc('second', a.received_at)
  OR (o.payment_paid_at = date_trunc('second', o.payment_paid_at)
      AND a.timestamp_sent = extract(epoch FROM o.payment_paid_at)::bigint::text)`

/** Confirms that `factsOfOrders` reads, too. */
export const JOIN_CONFIRMS = `LEFT JOIN confirm_attempts a ON a.order_id_sent = o.id AND a.partner_id = o.partner_id
    AND (a.signature_valid OR a.http_status = 401)`

// Known orders are joined: a prepared plan would look through the whole array for every order.
export const COUNT_ORDINARY = `
  SELECT day::text,
         (count(*) FILTER (WHERE is_ordinary))::int AS created,
         (count(*) FILTER (WHERE is_ordinary AND is_paid))::int AS paid,
         (count(*) FILTER (WHERE is_ordinary AND status = 'expired'))::int AS expired,
         (count(*) FILTER (WHERE is_ordinary AND status = 'cancelled'))::int AS cancelled,
         (count(*) FILTER (WHERE is_ordinary AND is_paid AND is_synthetic))::int AS synthetic,
         coalesce(array_agg(id::text) FILTER (WHERE NOT is_ordinary), '{}') AS "otherIds"
    FROM (SELECT o.id, (o.created_at AT TIME ZONE interval '5 hours')::date AS day,
                 order_status_at(:asOf::timestamptz, o.stored_status, o.window_ends_at) AS status,
                 o.confirmed_at IS NOT NULL AS is_paid,
                 bool_or(${IS_SYNTHETIC}) AS is_synthetic,
                 NOT bool_or(known.id IS NOT NULL) AND CASE
                   WHEN o.confirmed_at IS NULL THEN count(a.id) = 0
                   ELSE count(a.id) = 1 AND ${IS_ORDINARY_PAYMENT} AND bool_and(${IS_ORDINARY_CONFIRM})
                 END IS TRUE AS is_ordinary
            FROM orders o ${JOIN_CONFIRMS}
            LEFT JOIN (SELECT DISTINCT unnest(:known::text[]) AS id) known ON known.id = o.id
           WHERE o.created_at >= :from AND o.created_at < :to AND o.partner_id = :partnerId
           GROUP BY o.id) judged
   GROUP BY day ORDER BY day`

interface Scope {
  partnerId: number
  /** Orders made in [from, to). */
  from: Date
  to: Date
  asOf: Date
  /** Never ordinary, as something else is known about them. */
  known: string[]
  /** Payment ids that are no payment of their orders. */
  meaningless: string[]
}

type Row = Pick<Tally, 'created' | 'paid' | 'expired' | 'cancelled' | 'synthetic'> & {
  day: string
  otherIds: string[]
}

const select = statement<Row, Scope>('defects_ordinary_orders', COUNT_ORDINARY)

export interface DayOfOrders {
  /** A day at the venues. */
  day: string
  /** Of its ordinary orders. */
  ordinary: Tally
  /** All its other orders. */
  otherIds: string[]
}

/** Counts the ordinary orders of each day with orders, and names the other ones. */
export async function countOrdinaryOrders(
  scope: Scope,
  trx: TransactionClientContract
): Promise<DayOfOrders[]> {
  const days = await select(scope, trx)
  // Each ordinary paid order has a confirm, and no other has any.
  return days.map(({ day, otherIds, ...counted }) => ({
    day,
    ordinary: { ...noTally(), ...counted, attempted: counted.paid },
    // Here, as PostgreSQL would sort the ordinary ones, too.
    otherIds: otherIds.toSorted(),
  }))
}
