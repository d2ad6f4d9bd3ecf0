import { changeCaseWithin, lockSeenCase, type SeenCase } from '#defects/cases/change_case'
import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { transaction } from '#shared/transaction'

interface TakeInput extends SeenCase {
  /** False: gives up a case of one's own. */
  isTaken: boolean
  actor: Actor
}

/** Makes a case the actor's own, in work from then on, or nobody's; refuses STALE when somebody has changed or taken it since. */
export default class TakeCase {
  async handle({ caseId, version, isTaken, actor }: TakeInput) {
    await transaction(async (trx) => {
      const { state, owner } = await lockSeenCase({ caseId, version }, trx)
      if (isTaken) {
        const begun = state === 'open' ? { state: 'in_work' as const } : {}
        return changeCaseWithin(caseId, { ...begun, owner: 'me', reason: null }, actor, trx)
      }
      if (owner?.toLowerCase() !== actor.name.toLowerCase()) refuse('STALE')
      return changeCaseWithin(caseId, { owner: 'none', reason: null }, actor, trx)
    })
  }
}
