import { INVARIANT_NAMES } from '#invariants/invariant_names'
import { statement } from '#shared/statement'

const ensureStates = statement<object, { names: string[] }>(
  'invariant_states_ensure',
  'INSERT INTO invariant_states (invariant) SELECT unnest(:names::text[]) ON CONFLICT DO NOTHING'
)

/** Gives each invariant of this release its row, whether or not a worker ever checks it. */
export const ensureInvariantStates = () => ensureStates({ names: INVARIANT_NAMES })
