import { INVARIANT_NAMES, isInvariant } from '#invariants/invariant_names'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

/** No row when a full run is already asked for. */
const storeRequest = statement<object, { name: string; askedBy: string }>(
  'invariant_request',
  `INSERT INTO invariant_states AS s (invariant, run_asked_at, run_asked_by) VALUES (:name, clock_timestamp(), :askedBy)
   ON CONFLICT (invariant) DO UPDATE SET run_asked_at = excluded.run_asked_at, run_asked_by = excluded.run_asked_by
     WHERE s.run_asked_at IS NULL RETURNING invariant`
)

interface AskForInvariantRunInput {
  /** An invariant's name; null for all of them. */
  name: string | null
  actor: Actor
}

/** Has a worker run an invariant in full at its next turn. A request that waits already stays as it is. Refuses NO_SUCH. */
export default class AskForInvariantRun {
  async handle({ name, actor }: AskForInvariantRunInput): Promise<void> {
    if (name !== null && !isInvariant(name)) refuse('NO_SUCH', { what: 'invariant' })
    await transaction(async (trx) => {
      for (const invariant of name === null ? INVARIANT_NAMES : [name])
        if (await storeRequest.first({ name: invariant, askedBy: actor.name }, trx))
          await record('invariant_run_asked', { invariant }, { actor }, trx)
    })
  }
}
