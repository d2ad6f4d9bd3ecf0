import type { ChangedCase, SeenCase } from '#case_work/change_case'
import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { UNDO_REASON } from '#staff_area/undo'
import type { Undo } from '#staff_area/shared_props'
import { urlFor } from '@adonisjs/core/services/url_builder'
import encryption from '@adonisjs/core/services/encryption'

type Before = NonNullable<ChangedCase['before']>

/** The fields that a change replaced, set back by the same form. */
export function undoOfChange(changed: ChangedCase | null): Undo | null {
  if (!changed?.before) return null
  const { caseId, version, before } = changed
  const owner = before.owner === undefined ? undefined : String(before.owner)
  return {
    method: 'put',
    url: urlFor('back_office.case.change', { id: caseId }),
    data: { ...before, owner, version, reason: UNDO_REASON },
  }
}

/**
 * Whoever may take cases may not give them to others. So what a case was before is sealed: the undo restores it, and nobody can put
 * another owner in its place.
 */
export function undoOfTaking(
  isTaken: boolean,
  changed: ChangedCase | null,
  actor: Actor
): Undo | null {
  if (!changed?.before) return null
  const { caseId, version, before } = changed
  return {
    method: 'put',
    url: urlFor('back_office.case.owner', { id: caseId }),
    data: {
      version,
      isTaken: !isTaken,
      before: encryption.encrypt(before, { purpose: purposeOf({ caseId, version }, actor) }),
    },
  }
}

/** What a case was before the actor took it or gave it up. Refuses STALE what was sealed for another version or person. */
export const unsealBefore = (sealed: string, seen: SeenCase, actor: Actor): Before =>
  encryption.decrypt<Before>(sealed, purposeOf(seen, actor)) ?? refuse('STALE')

const purposeOf = ({ caseId, version }: SeenCase, actor: Actor) =>
  `undo of version ${version} of case ${caseId} by ${actor.name}`
