import type { SetupProposal } from '#register_reading/propose_setup'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/**
 * Whether a register suggests that its source has no sales, or no refunds: what it lacks may be in another source. It is asked of the
 * stored rows, whenever they were read, and by the other registers of the source as they are now: they may be read, changed or
 * dropped later.
 *
 * Example: a register of refunds alone suggests that its source has no sales.
 *   another register of the source has sales    nothing is suggested
 *   that register is dropped                    it is suggested again
 */

/** Fewer sales may have no refund by chance. */
const LEAST_SALES_ALONE = 20
const MOST_EXAMPLES = 3

const IS_MONEY = 'NOT is_unparseable AND NOT is_not_paid AND amount_tenge IS DISTINCT FROM 0'
const IS_SALE = `${IS_MONEY} AND kind = 'sale'`
const IS_REFUND = `${IS_MONEY} AND (kind = 'refund' OR returned_tenge > 0)`

interface Kinds {
  rows: number
  sales: number
  refunds: number
  hasUnknownKinds: boolean
}
const selectKinds = statement<Kinds, { id: number }>(
  'register_kinds',
  `SELECT count(*)::int AS rows, (count(*) FILTER (WHERE ${IS_SALE}))::int AS sales,
          (count(*) FILTER (WHERE ${IS_REFUND}))::int AS refunds,
          coalesce(bool_or(problems @> '[{"code": "KIND_UNKNOWN"}]'), false) AS "hasUnknownKinds"
     FROM partner_register_rows WHERE register_id = :id`
)

const examplesOf = (name: string, condition: string) =>
  statement<{ line: number; found: string }, { id: number; most: number }>(
    name,
    `SELECT line, amount_tenge::text AS found FROM partner_register_rows
      WHERE register_id = :id AND ${condition} ORDER BY line LIMIT :most`
  )
const selectSales = examplesOf('register_first_sales', IS_SALE)
const selectRefunds = examplesOf('register_first_refunds', IS_REFUND)

const selectKindsOfSource = statement<
  { coversAll: boolean; sales: boolean; refunds: boolean },
  { id: number; sourceId: number }
>(
  'register_kinds_of_the_source',
  `SELECT s.covers_sales AND s.covers_refunds AS "coversAll",
          coalesce(bool_or(r.control ->> 'salesTenge' <> '0'), false) AS sales,
          coalesce(bool_or(r.control ->> 'refundsTenge' <> '0' OR r.control ->> 'returnedTenge' <> '0'), false) AS refunds
     FROM register_sources s
     LEFT JOIN partner_registers r ON r.source_id = s.id AND r.id <> :id AND r.state <> 'dropped'
    WHERE s.id = :sourceId GROUP BY s.id`
)

export async function coverageProposals(
  { id, sourceId }: { id: number; sourceId: number },
  client?: QueryClientContract
): Promise<SetupProposal[]> {
  const source = await selectKindsOfSource.one({ id, sourceId }, client)
  if (!source.coversAll) return []
  const { rows, sales, refunds, hasUnknownKinds } = await selectKinds.one({ id }, client)
  const proposed = async (value: string, fits: number, select: typeof selectSales) => {
    const found = await select({ id, most: MOST_EXAMPLES }, client)
    const examples = found.map((one) => ({ ...one, tenge: null }))
    return [{ about: 'covers' as const, value, fits, of: rows, isProven: false, examples }]
  }
  if (hasUnknownKinds) return []
  if (refunds > 0 && sales === 0)
    return source.sales ? [] : proposed('refunds', refunds, selectRefunds)
  if (sales < LEAST_SALES_ALONE || refunds > 0) return []
  return source.refunds ? [] : proposed('sales', sales, selectSales)
}
