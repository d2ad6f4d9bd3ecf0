import type { Actor } from '#shared/actor'
import { record, type JournalEntries } from '#shared/journal'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * Changes of an account after which their author may be able to use it, so that the two don't count as two people.
 * Disabling and unlocking give nobody access, so they are not among them.
 */
export type AccountChange =
  | 'staff_created'
  | 'staff_role_changed'
  | 'staff_enabled'
  | 'staff_password_reset'
  | 'staff_second_factor_reset'

const insertChange = statement<object, { staffId: number; actor: string; name: unknown }>(
  'staff_account_change_insert',
  `INSERT INTO staff_account_changes (staff_id, changed_by, change)
   SELECT :staffId, id, :name FROM staff WHERE lower(email) = lower(:actor)`
)

/** Records the change in the journal and for `findLink`: for some days the two don't count as two people. */
export async function recordAccountChange<Name extends AccountChange>(
  name: Name,
  change: JournalEntries[Name],
  { staffId, actor }: { staffId: number; actor: Actor },
  trx: TransactionClientContract
): Promise<void> {
  await record(name, change, { actor }, trx)
  // Changes from the shell have no author's account.
  if (actor.kind === 'staff') await insertChange({ staffId, actor: actor.name, name }, trx)
}
