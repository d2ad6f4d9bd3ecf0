import { statement } from '#shared/statement'

export const countWrongCode = statement<{ failures: number }, { id: number }>(
  'staff_count_wrong_code',
  `UPDATE staff SET second_factor_failures = second_factor_failures + 1 WHERE id = :id
   RETURNING second_factor_failures AS failures`
)

export const lockSecondFactor = statement<object, { id: number }>(
  'staff_lock_second_factor',
  'UPDATE staff SET second_factor_locked_at = clock_timestamp(), updated_at = clock_timestamp() WHERE id = :id'
)

/** Sets the count of wrong codes back to zero. */
export const resetWrongCodes = statement<object, { id: number }>(
  'staff_end_wrong_codes',
  'UPDATE staff SET second_factor_failures = 0 WHERE id = :id AND second_factor_failures > 0'
)

/** Returns a row unless a code of this step, or of a later one, was used before. */
export const useTotpStep = statement<{ id: number }, { id: number; step: number }>(
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
