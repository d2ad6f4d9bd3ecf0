import { statement } from '#shared/statement'
import { removeRecoveryCodes } from '#staff/recovery_codes'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export const setSecondFactor = statement(
  'staff_set_second_factor',
  `UPDATE staff SET totp_secret_encrypted = $2, totp_last_step = $3, totp_set_at = clock_timestamp(),
          updated_at = clock_timestamp() WHERE id = $1`
)
const unset = statement(
  'staff_unset_second_factor',
  `UPDATE staff SET totp_secret_encrypted = NULL, totp_last_step = NULL, totp_set_at = NULL,
          second_factor_failures = 0, second_factor_locked_at = NULL, updated_at = clock_timestamp() WHERE id = $1`
)

export async function removeSecondFactor(id: number, trx: TransactionClientContract) {
  await unset([id], trx)
  await removeRecoveryCodes(id, trx)
}

export const countWrongCode = statement<{ failures: number }>(
  'staff_count_wrong_code',
  `UPDATE staff SET second_factor_failures = second_factor_failures + 1 WHERE id = $1
   RETURNING second_factor_failures AS failures`
)

export const lockSecondFactor = statement(
  'staff_lock_second_factor',
  'UPDATE staff SET second_factor_locked_at = clock_timestamp(), updated_at = clock_timestamp() WHERE id = $1'
)

/** The next run of wrong codes begins at nothing. */
export const endWrongCodes = statement(
  'staff_end_wrong_codes',
  'UPDATE staff SET second_factor_failures = 0 WHERE id = $1 AND second_factor_failures > 0'
)

/** Gives a row unless this code, or a later one, was used already. */
export const useStep = statement<{ id: number }>(
  'staff_use_totp_step',
  'UPDATE staff SET totp_last_step = $2 WHERE id = $1 AND totp_last_step < $2 RETURNING id'
)

export const useRecoveryCode = statement<{ staffId: number }>(
  'staff_use_recovery_code',
  `UPDATE staff_recovery_codes SET used_at = clock_timestamp()
    WHERE staff_id = $1 AND digest = $2 AND used_at IS NULL RETURNING staff_id AS "staffId"`
)

export const countRecoveryCodes = statement<{ left: number }>(
  'staff_count_recovery_codes',
  'SELECT count(*)::int AS "left" FROM staff_recovery_codes WHERE staff_id = $1 AND used_at IS NULL'
)
