import { dueOnOf, ownerOf, type Assignment, type Owner } from '#case_work/assignment'
import { CASE_TRANSITIONS, isSettled, wantsReason, type CaseState } from '#case_work/case_state'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Omitted fields stay unchanged. */
export interface CaseChange extends Assignment {
  state?: CaseState
  /** Only with `dismissed`: the rules were wrong. */
  isFalsePositive?: boolean
  /** The reason; the outcome for a case that ends. */
  reason: string | null
}
/** A case in the version that the person who changes it saw. */
export interface SeenCase {
  caseId: number
  version: number
}
interface ChangeInput {
  change: CaseChange
  actor: Actor
}
/** What a change has done to a case. */
export interface ChangedCase {
  caseId: number
  version: number
  /** The fields that it replaced, as they were; null when a case ended or was opened again, or its former owner can't have it back. */
  before: Omit<CaseChange, 'reason'> | null
}

type Row = {
  id: number
  partnerId: number
  key: string
  state: CaseState
  ownerId: number | null
  owner: string | null
  isOwnerActive: boolean
  dueOn: string | null
  resolution: string | null
  isFalsePositive: boolean
  isGone: boolean
  version: number
}
// Locked by id, so that two changes of the same cases do not deadlock.
const lockCases = statement<Row, { id: number[] }>(
  'settlement_cases_lock',
  `SELECT c.id, c.partner_id AS "partnerId", c.key, c.state, c.owner_id AS "ownerId", s.email AS owner, s.disabled_at IS NULL AS "isOwnerActive",
          c.due_on::text AS "dueOn", c.resolution, c.is_false_positive AS "isFalsePositive", c.gone_at IS NOT NULL AS "isGone", c.version
     FROM settlement_cases c LEFT JOIN staff s ON s.id = c.owner_id
    WHERE c.id = ANY(:id::integer[]) ORDER BY c.id FOR UPDATE OF c`
)
// A merged case has an entry of its own.
const selectLastChange = statement<{ by: string; at: Date }, { id: number; key: string }>(
  'settlement_case_last_change',
  `SELECT actor AS by, at FROM journal
    WHERE order_id = :key AND name IN ('case_changed', 'case_merged') AND (change ->> 'case_id')::integer = :id
    ORDER BY id DESC LIMIT 1`
)
// A trigger records what was at risk when a case ends.
const updateCase = statement<
  object,
  {
    id: number
    to: string
    ownerId: number | null
    dueOn: string | null
    resolution: string | null
    actor: string
    isFalsePositive: boolean
  }
>(
  'settlement_case_update',
  `UPDATE settlement_cases SET state = :to, owner_id = :ownerId, due_on = :dueOn::date, resolution = :resolution, is_false_positive = :isFalsePositive,
          version = version + 1,
          state_at = CASE WHEN state = :to THEN state_at ELSE clock_timestamp() END,
          state_by = CASE WHEN state = :to THEN state_by ELSE :actor END
    WHERE id = :id`
)

/** Changes one case; refuses STALE when somebody has changed it since. Returns null when it is so already. */
export default class ChangeCase {
  async handle({ caseId, version, change, actor }: SeenCase & ChangeInput) {
    return transaction(async (trx) => {
      const owner = await ownerOf(change, actor, trx)
      const found = await lockSeenCase({ caseId, version }, trx)
      if (!isReachable(found, change))
        refuse('STATUS_NOT_REACHABLE', { from: found.state, to: change.state! })
      return apply(found, change, owner, actor, trx)
    })
  }
}

/** Refuses STALE, with who and when, if somebody has changed the case since. */
export async function lockSeenCase(
  { caseId, version }: SeenCase,
  trx: TransactionClientContract
): Promise<Row> {
  const [found] = await lockCases({ id: [caseId] }, trx)
  if (!found) refuse('NO_SUCH', { what: 'case' })
  if (found.version !== version) refuse('STALE', await lastChangeOf(found, trx))
  return found
}

async function lastChangeOf({ id, key }: Row, trx: TransactionClientContract) {
  const last = await selectLastChange.first({ id, key }, trx)
  return last && { by: last.by, at: last.at.toISOString() }
}

/** Changes a case that is locked already. */
export async function changeLockedCase(
  found: Row,
  change: CaseChange,
  actor: Actor,
  trx: TransactionClientContract
) {
  return apply(found, change, await ownerOf(change, actor, trx), actor, trx)
}

/** Changes a case within the caller's transaction. */
export async function changeCaseWithin(
  caseId: number,
  change: CaseChange,
  actor: Actor,
  trx: TransactionClientContract
) {
  const [found] = await lockCases({ id: [caseId] }, trx)
  await changeLockedCase(found, change, actor, trx)
}

/** Changes many cases in one transaction; returns in `left` those that others have changed or whose state does not allow it. */
export class ChangeCases {
  async handle({ cases, change, actor }: ChangeInput & { cases: SeenCase[] }) {
    const versions = new Map(cases.map(({ caseId, version }) => [caseId, version]))
    return transaction(async (trx) => {
      const owner = await ownerOf(change, actor, trx)
      const found = await lockCases({ id: [...versions.keys()] }, trx)
      const ready = found.filter(
        (one) => versions.get(one.id) === one.version && isReachable(one, change)
      )
      for (const one of ready) await apply(one, change, owner, actor, trx)
      const changed = ready.map(({ id }) => id)
      return { changed, left: [...versions.keys()].filter((id) => !changed.includes(id)) }
    })
  }
}

const isReachable = ({ state }: Row, change: CaseChange) =>
  change.state === undefined ||
  change.state === state ||
  CASE_TRANSITIONS[state].includes(change.state)

async function apply(
  found: Row,
  change: CaseChange,
  owner: Owner | null | undefined,
  actor: Actor,
  trx: TransactionClientContract
): Promise<ChangedCase | null> {
  const { id, partnerId, key, state: from } = found
  const to = change.state ?? from
  const reason = change.reason?.trim() || null
  if (to !== from && wantsReason(from, to) && !reason)
    refuseField('reason', 'required', 'fields.required')
  const ownerId = owner === undefined ? found.ownerId : (owner?.id ?? null)
  const asked = dueOnOf(change)
  const dueOn = asked === undefined ? found.dueOn : asked
  const isFalsePositive = to === 'dismissed' && (change.isFalsePositive ?? found.isFalsePositive)
  const isMarked = isFalsePositive !== found.isFalsePositive
  const isSame = to === from && ownerId === found.ownerId && dueOn === found.dueOn && !isMarked
  if (isSame) return null
  const resolution = to === from ? found.resolution : isSettled(to) ? reason : null
  await updateCase({ id, to, ownerId, dueOn, resolution, actor: actor.name, isFalsePositive }, trx)
  const assignment = {
    owner: owner === undefined ? found.owner : (owner?.email ?? null),
    due_on: dueOn,
  }
  // Recorded under the case's first order, whose journal shows it.
  const subjects = { actor, partnerId, orderId: key }
  const marked = isMarked && { false_positive: isFalsePositive }
  const entry = { case_id: id, from, to, ...assignment, reason, ...marked }
  await record('case_changed', entry, subjects, trx)
  const before = isMarked ? null : fieldsBefore(found, { to, ownerId, dueOn })
  return { caseId: id, version: found.version + 1, before }
}

interface FieldsAfter {
  to: CaseState
  ownerId: number | null
  dueOn: string | null
}

/** Null when a case ended or was opened again, and when the former owner has no active account any more. */
function fieldsBefore(was: Row, { to, ownerId, dueOn }: FieldsAfter): ChangedCase['before'] {
  const isMoved = to !== was.state
  const isGiven = ownerId !== was.ownerId
  const isOutcome = isMoved && (isSettled(to) || isSettled(was.state))
  if (isOutcome || (isGiven && !was.isOwnerActive)) return null
  return {
    ...(isMoved && { state: was.state }),
    ...(isGiven && { owner: was.ownerId ?? 'none' }),
    ...(dueOn !== was.dueOn && { dueOn: was.dueOn }),
  }
}
