import type { Actor } from '#shared/actor'
import { record, type JournalEntries } from '#shared/journal'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * Acts after which their author and the person don't count as two people. Disabling isn't one: it only keeps somebody out;
 * nor is unlocking, which gives nobody a password, and which a stranger's flood makes necessary.
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

/** Writes the journal's entry, and that for some days these two don't count as two people (`findLink`). */
export async function recordAccountChange<Name extends AccountChange>(
  name: Name,
  change: JournalEntries[Name],
  { staffId, actor }: { staffId: number; actor: Actor },
  trx: TransactionClientContract
): Promise<void> {
  await record(name, change, { actor }, trx)
  // The shell is nobody's account.
  if (actor.kind === 'staff') await insertChange({ staffId, actor: actor.name, name }, trx)
}
