import { dueOnOf, ownerOf, type Assignment } from '#case_work/assignment'
import type { Actor } from '#shared/actor'
import { findRegister } from '#reconciliation/store/find_register'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

/** Omitted fields stay unchanged. */
export interface MatchChange extends Assignment {
  /** Decides a suggestion; `open` withdraws the decision. */
  decision?: 'accepted' | 'rejected' | 'open'
  note?: string | null
}
export interface DecideMatchInput {
  registerId: number
  cases: { caseId: number; version: number }[]
  change: MatchChange
  actor: Actor
}

interface Row {
  id: number
  isSuggested: boolean
  version: number
}
// Locked by id, so that two changes of the same cases do not deadlock.
const lockCases = statement<Row, { registerId: number; id: number[] }>(
  'register_cases_lock',
  `SELECT id, is_suggested AS "isSuggested", version FROM partner_register_cases
    WHERE register_id = :registerId AND id = ANY(:id::integer[]) ORDER BY id FOR UPDATE`
)
interface Decision {
  registerId: number
  caseIds: number[]
  decision: string
  decidedBy: string
  setsOwner: boolean
  ownerId: number | null
  setsDueOn: boolean
  dueOn: string | null
  setsNote: boolean
  note: string | null
}
const updateCases = statement<object, Decision>(
  'register_cases_decide',
  `UPDATE partner_register_cases SET version = version + 1,
          decision = CASE WHEN :decision = 'keep' THEN decision WHEN :decision = 'open' THEN NULL ELSE :decision END,
          decided_by = CASE WHEN :decision = 'keep' THEN decided_by WHEN :decision = 'open' THEN NULL ELSE :decidedBy END,
          decided_at = CASE WHEN :decision = 'keep' THEN decided_at WHEN :decision = 'open' THEN NULL ELSE clock_timestamp() END,
          owner_id = CASE WHEN :setsOwner::boolean THEN :ownerId::integer ELSE owner_id END,
          due_on = CASE WHEN :setsDueOn::boolean THEN :dueOn::date ELSE due_on END,
          note = CASE WHEN :setsNote::boolean THEN :note ELSE note END
    WHERE register_id = :registerId AND id = ANY(:caseIds::integer[])`
)
const shareRegister = statement<object, { registerId: number }>(
  'register_share',
  'SELECT 1 FROM partner_registers WHERE id = :registerId FOR SHARE'
)

/**
 * Changes decision, owner, due day or note of cases. Returns in `left` those that somebody has changed since, and those that
 * need no decision; refuses STALE when no case remains. After the confirmation of the register decisions are final.
 */
export default class DecideMatch {
  async handle({ registerId, cases, change, actor }: DecideMatchInput) {
    const versions = new Map(cases.map(({ caseId, version }) => [caseId, version]))
    return transaction(async (trx) => {
      // Keeps the register from being confirmed or matched meanwhile.
      await shareRegister({ registerId }, trx)
      const { state, partnerId } = await findRegister(registerId, trx)
      if (state !== 'matched' && !(state === 'confirmed' && change.decision === undefined))
        refuse('STATUS_NOT_REACHABLE', { from: state, to: 'decide' })
      const owner = await ownerOf(change, actor, trx)
      const found = await lockCases({ registerId, id: [...versions.keys()] }, trx)
      const ready = found.filter(
        (one) => one.version === versions.get(one.id) && isDecidable(one, change)
      )
      const changed = ready.map(({ id }) => id)
      if (changed.length === 0) refuse('STALE')
      await updateCases(
        {
          registerId,
          caseIds: changed,
          decision: change.decision ?? 'keep',
          decidedBy: actor.name,
          setsOwner: owner !== undefined,
          ownerId: owner?.id ?? null,
          setsDueOn: change.dueOn !== undefined,
          dueOn: dueOnOf(change) ?? null,
          setsNote: change.note !== undefined,
          note: change.note?.trim() || null,
        },
        trx
      )
      const entry = { register_id: registerId, cases: changed.length, first: changed.slice(0, 20) }
      await record('register_matches_decided', { ...entry, ...change }, { actor, partnerId }, trx)
      return { changed, left: [...versions.keys()].filter((id) => !changed.includes(id)) }
    })
  }
}

const isDecidable = ({ isSuggested }: Row, { decision }: MatchChange) =>
  decision === undefined || isSuggested
