import { changeCaseWithin } from '#case_work/change_case'
import { isSettled, type CaseState } from '#case_work/case_state'
import { mergeCase } from '#defects/cases/inherit_cases'
import { EXPOSED_PARTIES } from '#defects/facts/exposure'
import { CLOCK } from '#shared/actor'
import { allowLongWrites } from '#shared/long_queries'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

/** What a check that has stored all its cases has looked at. */
export interface CheckedCases {
  partnerId: number
  from: Date
  to: Date
  /** When the check began. */
  asOf: Date
  /** Orders made before `from` that were checked, too. */
  older: string[]
}

/** Condition on `settlement_cases c`: a case of the checked period or of older orders, which the check has not found again. */
export const IS_ABANDONED = `c.partner_id = :partnerId AND c.checked_at < :asOf AND c.gone_at IS NULL
  AND ((c.occurred_at >= :from AND c.occurred_at < :to) OR c.key = ANY(:older::text[]))`

interface Abandoned {
  id: number
  key: string
  state: CaseState
  dueOn: string | null
  resolution: string | null
  isFalsePositive: boolean
  /** The case with most of its orders. */
  heir: number
  isHeirEnded: boolean
  /** Nobody has decided about the heir. */
  isHeirNew: boolean
  /** No more of any party's money is at risk in the heir than when this case ended. */
  isCovered: boolean
}

const IS_COVERED = EXPOSED_PARTIES.map(
  (party) => `heir.${party}_tenge <= c.settled_${party}_tenge`
).join(' AND ')

// Open ones first. Unknown orders stand in the key and in defects alone. `current` is not searched once for each abandoned case.
const selectAbandoned = statement<Abandoned, CheckedCases>(
  'settlement_cases_abandoned',
  `WITH abandoned AS MATERIALIZED (SELECT c.* FROM settlement_cases c WHERE ${IS_ABANDONED}),
   lost AS MATERIALIZED (
     SELECT id, unnest(order_ids || key) AS order_id FROM abandoned
      UNION SELECT d.case_id, d.order_id FROM settlement_defects d JOIN abandoned ON abandoned.id = d.case_id WHERE d.gone_at IS NULL),
   current AS MATERIALIZED (
     SELECT s.id, own.order_id FROM settlement_cases s, LATERAL (SELECT DISTINCT unnest(s.order_ids || s.key) AS order_id) own
      WHERE s.partner_id = :partnerId AND s.checked_at = :asOf),
   heirs AS (
     SELECT DISTINCT ON (lost.id) lost.id AS case_id, current.id, count(*) AS shared
       FROM lost JOIN current USING (order_id) GROUP BY lost.id, current.id ORDER BY lost.id, shared DESC, current.id)
   SELECT c.id, c.key, c.state, c.due_on::text AS "dueOn", c.resolution, c.is_false_positive AS "isFalsePositive", heir.id AS heir,
          heir.state IN ('resolved', 'dismissed') AS "isHeirEnded", heir.state_at IS NULL AS "isHeirNew",
          (${IS_COVERED}) IS TRUE AS "isCovered"
     FROM heirs JOIN abandoned c ON c.id = heirs.case_id JOIN settlement_cases heir ON heir.id = heirs.id
    ORDER BY c.state IN ('resolved', 'dismissed'), heirs.shared DESC, c.id`
)

/**
 * A case that no story has any more becomes part of the one that has most of its orders, and its owner and notes go along. So does
 * what was decided about it, where nobody has decided about the other one; an outcome, where it covers all that is at risk there.
 * `parted`: cases that were part of another one and have a story of their own again.
 *
 * Example: case 1 of orders A and B was resolved with 12,000 of ours. In a corrected register A is right, and B is lacking.
 *     B is case 2, which takes the outcome over: no more than 12,000 is at risk. Case 1 is gone, merged into it.
 */
export async function mergeAbandonedCases(
  checked: CheckedCases,
  parted: ReadonlyMap<number, number>,
  signal?: AbortSignal
) {
  await transaction(async (trx) => {
    await allowLongWrites(trx)
    const { partnerId } = checked
    const decided = new Set<number>()
    for (const one of await selectAbandoned(checked, trx)) {
      const { heir, state } = one
      await mergeCase(partnerId, one, heir, trx)
      // What was decided about the heir before it was part of this case is over.
      const isUndecided = one.isHeirNew || parted.get(heir) === one.id
      const takesOver = isUndecided && !one.isHeirEnded && !decided.has(heir)
      decided.add(heir)
      if (takesOver && (!isSettled(state) || one.isCovered))
        await changeCaseWithin(heir, decisionOn(one), CLOCK, trx)
    }
  }, signal)
}

const decisionOn = ({ state, dueOn, resolution, isFalsePositive }: Abandoned) => ({
  state,
  dueOn,
  reason: resolution ?? MERGED,
  isFalsePositive,
})

/** The reason in the journal where there is no outcome: a key of the pages' texts. */
const MERGED = 'cases.merged_reason'
