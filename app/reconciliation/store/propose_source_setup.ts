import type {
  EqualGroup,
  EqualSales,
  SetupEvidence,
  SetupProposal,
} from '#register_reading/propose_setup'
import { someOrders } from '#sales/queries/one_order'
import { statement } from '#shared/statement'
import { storable } from '#shared/storable'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

const selectTotals = statement<
  { name: string; tenge: bigint },
  { partnerId: number; names: string[] }
>(
  'register_totals_of_named_orders',
  `SELECT partner_order_id::text AS name, total_tenge AS tenge FROM orders
    WHERE partner_id = :partnerId AND partner_order_id = ANY(:names::text[])
   UNION ALL
   SELECT id::text, total_tenge FROM ${someOrders(':names')} WHERE partner_id = :partnerId
   UNION ALL
   SELECT payment_external_id, total_tenge
     FROM (SELECT * FROM orders WHERE payment_external_id = ANY(:names::text[]) OFFSET 0) o WHERE partner_id = :partnerId`
)

const selectPayments = statement<{ id: string }, { partnerId: number; ids: string[] }>(
  'register_payments_that_confirms_named',
  `SELECT payment_external_id AS id
     FROM (SELECT * FROM orders WHERE payment_external_id = ANY(:ids::text[]) OFFSET 0) o WHERE partner_id = :partnerId
   UNION
   SELECT external_payment_id
     FROM (SELECT * FROM confirm_attempts WHERE (http_status <> 200 OR names_other_payment) AND external_payment_id = ANY(:ids::text[])
             OFFSET 0) a
    WHERE partner_id = :partnerId`
)

/** In memory all texts of a large file would be as much as the file itself. */
const MOST_EQUAL_GROUPS = 2_000

// Each name is looked for once: one payment id may stand in all rows, and in many orders of other partners.
const selectEqualSales = statement<
  EqualGroup & { all: number },
  { registerId: number; partnerId: number; most: number }
>(
  'register_equal_sales_of_unknown_orders',
  `WITH equal AS MATERIALIZED (
     SELECT order_id, order_key, payment_id, amount_tenge AS tenge, count(*)::int AS count,
            min(line) AS first_line, (array_agg(line ORDER BY line))[2] AS second_line
       FROM partner_register_rows WHERE register_id = :registerId AND kind = 'sale' AND amount_tenge > 0
      GROUP BY order_id, order_key, payment_id, ticket_number, at, amount_tenge HAVING count(*) > 1),
   names AS (
     SELECT order_id AS name FROM equal UNION SELECT order_key FROM equal UNION SELECT payment_id FROM equal),
   known AS MATERIALIZED (
     SELECT name FROM names
      WHERE EXISTS (
        SELECT 1 FROM (
          SELECT partner_id FROM orders WHERE id = name
          UNION ALL SELECT partner_id FROM orders WHERE partner_id = :partnerId AND partner_order_id = name
          UNION ALL SELECT partner_id FROM orders WHERE payment_external_id = name OFFSET 0) o
         WHERE o.partner_id = :partnerId))
   SELECT array_remove(ARRAY[order_id, order_key, payment_id], NULL) AS ids, tenge, count,
          first_line AS "firstLine", second_line AS "secondLine", (sum(count) OVER ())::int AS all
     FROM equal
    WHERE (order_id IN (SELECT name FROM known)) IS NOT TRUE
      AND (order_key IN (SELECT name FROM known)) IS NOT TRUE
      AND (payment_id IN (SELECT name FROM known)) IS NOT TRUE
    ORDER BY first_line LIMIT :most`
)

/** Equal sales of orders that we do not have. */
export async function equalSalesOf(
  { id: registerId, partnerId }: { id: number; partnerId: number },
  client?: QueryClientContract
): Promise<EqualSales> {
  const found = await selectEqualSales({ registerId, partnerId, most: MOST_EQUAL_GROUPS }, client)
  return { count: found[0]?.all ?? 0, first: found.map(({ all: _all, ...group }) => group) }
}

/** What a file suggests about its source, by the orders that it names. `equalSales`: none as long as its rows are not stored. */
export async function proposalsOf(
  evidence: SetupEvidence,
  { partnerId, equalSales }: { partnerId: number; equalSales: EqualSales },
  client?: QueryClientContract
): Promise<SetupProposal[]> {
  const names = evidence.ids().map(storable)
  const found = names.length === 0 ? [] : await selectTotals({ partnerId, names }, client)
  const ids = evidence.paymentIds().map(storable)
  const payments = ids.length === 0 ? [] : await selectPayments({ partnerId, ids }, client)
  return evidence.proposals(
    new Map(found.map(({ name, tenge }) => [name, tenge])),
    new Set(payments.map(({ id }) => id)),
    equalSales
  )
}
