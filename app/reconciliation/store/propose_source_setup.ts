import type { EqualSales, SetupEvidence, SetupProposal } from '#register_reading/propose_setup'
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

/** Whether other registers of a source have sales, and refunds. */
const selectKindsOfOthers = statement<
  { sales: boolean; refunds: boolean },
  { id: number; sourceId: number }
>(
  'register_kinds_of_the_source',
  `SELECT coalesce(bool_or(control ->> 'salesTenge' <> '0'), false) AS sales,
          coalesce(bool_or(control ->> 'refundsTenge' <> '0' OR control ->> 'returnedTenge' <> '0'), false) AS refunds
     FROM partner_registers WHERE source_id = :sourceId AND id <> :id AND state <> 'dropped'`
)

/**
 * What a register that has been read suggests about its source, as the other registers of the source are now: they may be read,
 * changed or dropped after this one.
 *
 * Example: a register of refunds alone suggests that its source has no sales.
 *   another register of the source has sales    nothing is suggested
 *   that register is dropped                    it is suggested again
 */
export async function presentProposals(
  { id, sourceId, proposals }: { id: number; sourceId: number; proposals: SetupProposal[] },
  client?: QueryClientContract
): Promise<SetupProposal[]> {
  const isAboutCoverage = ({ about }: SetupProposal) => about === 'covers'
  if (!proposals.some(isAboutCoverage)) return proposals
  const ofOthers = await selectKindsOfOthers.one({ id, sourceId }, client)
  const isShownByOthers = ({ value }: SetupProposal) =>
    value === 'refunds' ? ofOthers.sales : ofOthers.refunds
  return proposals.filter((one) => !isAboutCoverage(one) || !isShownByOthers(one))
}

// In memory the texts of a large file would be as much as the file itself.
const selectEqualSales = statement<EqualSales, { registerId: number }>(
  'register_equal_sales',
  `SELECT array_remove(ARRAY[order_id, order_key, payment_id], NULL) AS ids, amount_tenge AS tenge, count(*)::int AS count,
          min(line) AS "firstLine", (array_agg(line ORDER BY line))[2] AS "secondLine"
     FROM partner_register_rows WHERE register_id = :registerId AND kind = 'sale' AND amount_tenge > 0
    GROUP BY order_id, order_key, payment_id, ticket_number, at, amount_tenge HAVING count(*) > 1 ORDER BY min(line)`
)

export const equalSalesOf = (registerId: number, client: QueryClientContract) =>
  selectEqualSales({ registerId }, client)

/** What a file suggests about its source, by the orders that it names. `equalSales`: none as long as its rows are not stored. */
export async function proposalsOf(
  evidence: SetupEvidence,
  { partnerId, equalSales }: { partnerId: number; equalSales: readonly EqualSales[] },
  client?: QueryClientContract
): Promise<SetupProposal[]> {
  const equalIds = equalSales.flatMap((equal) => equal.ids)
  const names = [...new Set([...evidence.ids().map(storable), ...equalIds])]
  const found = names.length === 0 ? [] : await selectTotals({ partnerId, names }, client)
  const ids = evidence.paymentIds().map(storable)
  const payments = ids.length === 0 ? [] : await selectPayments({ partnerId, ids }, client)
  return evidence.proposals(
    new Map(found.map(({ name, tenge }) => [name, tenge])),
    new Set(payments.map(({ id }) => id)),
    equalSales
  )
}
