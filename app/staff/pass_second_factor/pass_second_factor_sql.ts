import { statement } from '#shared/statement'
import { removeRecoveryCodes } from '#staff/recovery_codes'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export const setSecondFactor = statement<
  object,
  { id: number; totpSecretEncrypted: string; step: number }
>(
  'staff_set_second_factor',
  `UPDATE staff SET totp_secret_encrypted = :totpSecretEncrypted, totp_last_step = :step, totp_set_at = clock_timestamp(),
          updated_at = clock_timestamp() WHERE id = :id`
)
const unset = statement<object, { id: number }>(
  'staff_unset_second_factor',
  `UPDATE staff SET totp_secret_encrypted = NULL, totp_last_step = NULL, totp_set_at = NULL,
          second_factor_failures = 0, second_factor_locked_at = NULL, updated_at = clock_timestamp() WHERE id = :id`
)

export async function removeSecondFactor(id: number, trx: TransactionClientContract) {
  await unset({ id }, trx)
  await removeRecoveryCodes(id, trx)
}

export const countWrongCode = statement<{ failures: number }, { id: number }>(
  'staff_count_wrong_code',
  `UPDATE staff SET second_factor_failures = second_factor_failures + 1 WHERE id = :id
   RETURNING second_factor_failures AS failures`
)

export const lockSecondFactor = statement<object, { id: number }>(
  'staff_lock_second_factor',
  'UPDATE staff SET second_factor_locked_at = clock_timestamp(), updated_at = clock_timestamp() WHERE id = :id'
)

/** The next run of wrong codes begins at nothing. */
export const endWrongCodes = statement<object, { id: number }>(
  'staff_end_wrong_codes',
  'UPDATE staff SET second_factor_failures = 0 WHERE id = :id AND second_factor_failures > 0'
)

/** Gives a row unless this code, or a later one, was used already. */
export const useStep = statement<{ id: number }, { id: number; step: number }>(
  'staff_use_totp_step',
  'UPDATE staff SET totp_last_step = :step WHERE id = :id AND totp_last_step < :step RETURNING id'
)

export const useRecoveryCode = statement<{ staffId: number }, { id: number; digest: string }>(
  'staff_use_recovery_code',
  `UPDATE staff_recovery_codes SET used_at = clock_timestamp()
    WHERE staff_id = :id AND digest = :digest AND used_at IS NULL RETURNING staff_id AS "staffId"`
)

export const countRecoveryCodes = statement<{ left: number }, { id: number }>(
  'staff_count_recovery_codes',
  'SELECT count(*)::int AS "left" FROM staff_recovery_codes WHERE staff_id = :id AND used_at IS NULL'
)
