import { isSettled } from '#case_work/case_state'
import {
  changeLockedCase,
  lockSeenCase,
  type CaseChange,
  type ChangedCase,
  type SeenCase,
} from '#case_work/change_case'
import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { transaction } from '#shared/transaction'

interface TakeInput extends SeenCase {
  /** False: gives up a case of one's own. */
  isTaken: boolean
  /** To undo the actor's own taking or giving up: what the case was before, which is then restored; `isTaken` only says which it was. */
  before?: ChangedCase['before']
  reason?: string
  actor: Actor
}

/**
 * Makes an open case the actor's own, or nobody's; one that nobody has begun is in work then. Refuses STALE when somebody has changed,
 * taken or ended it since. Returns null when it is so already.
 */
export default class TakeCase {
  async handle({ caseId, version, isTaken, before, reason, actor }: TakeInput) {
    return transaction(async (trx) => {
      const found = await lockSeenCase({ caseId, version }, trx)
      const isOwn = found.owner?.toLowerCase() === actor.name.toLowerCase()
      if (found.isGone || isSettled(found.state) || (!isTaken && !isOwn)) refuse('STALE')
      const begun = isTaken && found.state === 'open' ? { state: 'in_work' as const } : {}
      const change: Omit<CaseChange, 'reason'> = before ?? {
        ...begun,
        owner: isTaken ? 'me' : 'none',
      }
      return changeLockedCase(found, { ...change, reason: reason ?? null }, actor, trx)
    })
  }
}
