import { dueOnOf, ownerOf, type Assignment, type Owner } from '#defects/cases/assignment'
import type { Actor } from '#shared/actor'
import { findRegister } from '#reconciliation/store/find_register'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

/** What is left out stays as it is. */
export interface MatchChange extends Assignment {
  /** On a match that was found by likeness or repair; `open` takes a decision back. */
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
// In one order, so that two who choose the same cases wait for each other and not crosswise.
const lockCases = statement<Row>(
  'register_cases_lock',
  `SELECT id, is_suggested AS "isSuggested", version FROM partner_register_cases
    WHERE register_id = $1 AND id = ANY($2::integer[]) ORDER BY id FOR UPDATE`
)
const updateCases = statement(
  'register_cases_decide',
  `UPDATE partner_register_cases SET version = version + 1,
          decision = CASE WHEN $3 = 'keep' THEN decision WHEN $3 = 'open' THEN NULL ELSE $3 END,
          decided_by = CASE WHEN $3 = 'keep' THEN decided_by WHEN $3 = 'open' THEN NULL ELSE $4 END,
          decided_at = CASE WHEN $3 = 'keep' THEN decided_at WHEN $3 = 'open' THEN NULL ELSE clock_timestamp() END,
          owner_id = CASE WHEN $5::boolean THEN $6::integer ELSE owner_id END,
          due_on = CASE WHEN $7::boolean THEN $8::date ELSE due_on END,
          note = CASE WHEN $9::boolean THEN $10 ELSE note END
    WHERE register_id = $1 AND id = ANY($2::integer[])`
)
const shareRegister = statement(
  'register_share',
  'SELECT 1 FROM partner_registers WHERE id = $1 FOR SHARE'
)

/**
 * What people make of matches, one or many: those that somebody has changed meanwhile, and those that there is nothing
 * to decide about, stay as they are and are told; when none is left, refuses STALE. Decisions end with the confirmation,
 * which builds on them; owners, days and notes don't.
 */
export default class DecideMatch {
  async handle({ registerId, cases, change, actor }: DecideMatchInput) {
    const versions = new Map(cases.map(({ caseId, version }) => [caseId, version]))
    return transaction(async (trx) => {
      // Nobody confirms or matches it anew meanwhile.
      await shareRegister([registerId], trx)
      const { state, partnerId } = await findRegister(registerId, trx)
      if (state !== 'matched' && !(state === 'confirmed' && change.decision === undefined))
        refuse('STATUS_NOT_REACHABLE', { from: state, to: 'decide' })
      const owner = await ownerOf(change, actor, trx)
      const found = await lockCases([registerId, [...versions.keys()]], trx)
      const ready = found.filter((one) => one.version === versions.get(one.id) && may(one, change))
      const changed = ready.map(({ id }) => id)
      if (changed.length === 0) refuse('STALE')
      await updateCases([registerId, changed, ...valuesOf(change, owner, actor)], trx)
      const told = { register_id: registerId, cases: changed.length, first: changed.slice(0, 20) }
      await record('register_matches_decided', { ...told, ...change }, { actor, partnerId }, trx)
      return { changed, left: [...versions.keys()].filter((id) => !changed.includes(id)) }
    })
  }
}

const may = ({ isSuggested }: Row, { decision }: MatchChange) =>
  decision === undefined || isSuggested

const valuesOf = (change: MatchChange, owner: Owner | null | undefined, actor: Actor) => [
  ...[change.decision ?? 'keep', actor.name],
  ...[owner !== undefined, owner?.id ?? null],
  ...[change.dueOn !== undefined, dueOnOf(change) ?? null],
  ...[change.note !== undefined, change.note?.trim() || null],
]
