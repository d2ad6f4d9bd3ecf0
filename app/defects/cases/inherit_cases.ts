import type { FoundCase } from '#defects/cases/save_cases'
import { CLOCK } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

interface Known {
  storyKey: string
  id: number
  key: string
  isGone: boolean
  isEnded: boolean
  /** How many of the story's orders stood in it. */
  shared: number
}

const selectKnown = statement<Known, { partnerId: number; stories: string }>(
  'settlement_cases_of_stories',
  `SELECT f.key AS "storyKey", c.id, c.key, c.gone_at IS NOT NULL AS "isGone",
          c.state IN ('resolved', 'dismissed') AS "isEnded",
          (SELECT count(*)::int FROM unnest(c.order_ids) one WHERE one = ANY(f.members)) AS shared
     FROM jsonb_to_recordset(:stories::jsonb) AS f (key text, members text[]) CROSS JOIN unnest(f.members) AS member
     JOIN settlement_cases c ON c.partner_id = :partnerId AND c.key = member
    ORDER BY f.key, "isGone", "isEnded", shared DESC, c.id`
)
const merge = statement<{ key: string }, { id: number; into: number }>(
  'settlement_case_merge',
  `WITH merged AS (
     UPDATE settlement_cases SET gone_at = clock_timestamp(), merged_into = :into, version = version + 1
      WHERE id = :id
     RETURNING key, owner_id, settled_buyer_tenge, settled_platform_tenge, settled_partner_tenge),
   given AS (
     UPDATE settlement_cases c SET owner_id = coalesce(c.owner_id, merged.owner_id),
            settled_buyer_tenge = c.settled_buyer_tenge + coalesce(merged.settled_buyer_tenge, 0),
            settled_platform_tenge = c.settled_platform_tenge + coalesce(merged.settled_platform_tenge, 0),
            settled_partner_tenge = c.settled_partner_tenge + coalesce(merged.settled_partner_tenge, 0)
       FROM merged WHERE c.id = :into)
   SELECT key FROM merged`
)

/**
 * Gives each story the case that people already work on: of the cases of its orders an open one before an ended one, then the one
 * that shares most with it. The others are merged into it; of ended ones the sums at which they ended are added up.
 *
 * Example: case 1 of orders A and B, case 2 of order C; a register now shows one payment for B and C
 *     the story of A, B and C is case 1; case 2 is gone, merged into case 1
 */
export async function inheritCases(
  partnerId: number,
  found: FoundCase[],
  trx: TransactionClientContract
): Promise<FoundCase[]> {
  const joined = found.filter(({ members }) => members.length > 1)
  if (joined.length === 0) return found
  const stories = JSON.stringify(joined.map(({ key, members }) => ({ key, members })))
  const known = Map.groupBy(await selectKnown({ partnerId, stories }, trx), (one) => one.storyKey)
  for (const [{ id: into }, ...others] of known.values())
    for (const other of others) if (!other.isGone) await mergeCase(partnerId, other, into, trx)
  return found.map((one) => ({ ...one, key: known.get(one.key)?.[0].key ?? one.key }))
}

/** The case is gone from now on; its owner and notes go along. */
export async function mergeCase(
  partnerId: number,
  { id, key }: { id: number; key: string },
  into: number,
  trx: TransactionClientContract
) {
  await merge({ id, into }, trx)
  await record('case_merged', { case_id: id, into }, { actor: CLOCK, partnerId, orderId: key }, trx)
}
