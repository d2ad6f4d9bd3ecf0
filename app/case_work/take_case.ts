import { isSettled } from '#case_work/case_state'
import { changeLockedCase, lockSeenCase, type SeenCase } from '#case_work/change_case'
import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { transaction } from '#shared/transaction'

interface TakeInput extends SeenCase {
  /** False: gives up a case of one's own. */
  isTaken: boolean
  actor: Actor
}

/**
 * Makes an open case the actor's own, or nobody's; one that nobody has begun is in work then. Refuses STALE when somebody has changed,
 * taken or ended it since.
 */
export default class TakeCase {
  async handle({ caseId, version, isTaken, actor }: TakeInput) {
    await transaction(async (trx) => {
      const found = await lockSeenCase({ caseId, version }, trx)
      const isOwn = found.owner?.toLowerCase() === actor.name.toLowerCase()
      if (found.isGone || isSettled(found.state) || (!isTaken && !isOwn)) refuse('STALE')
      const begun = isTaken && found.state === 'open' ? { state: 'in_work' as const } : {}
      const change = {
        ...begun,
        owner: isTaken ? ('me' as const) : ('none' as const),
        reason: null,
      }
      await changeLockedCase(found, change, actor, trx)
    })
  }
}
