import { removeRecoveryCodes } from '#staff/recovery_codes'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const clearSecondFactor = statement<object, { id: number }>(
  'staff_unset_second_factor',
  `UPDATE staff SET totp_secret_encrypted = NULL, totp_last_step = NULL, totp_set_at = NULL,
          second_factor_failures = 0, second_factor_locked_at = NULL, updated_at = clock_timestamp() WHERE id = :id`
)

/** Removes the authenticator, its recovery codes and a lock after wrong codes. */
export async function removeSecondFactor(id: number, trx: TransactionClientContract) {
  await clearSecondFactor({ id }, trx)
  await removeRecoveryCodes(id, trx)
}
