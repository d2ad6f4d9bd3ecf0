import type { Security } from '#staff_area/account/account_props'
import { statement } from '#shared/statement'

const select = statement<Security, { staffId: number }>(
  'back_office_own_security',
  `SELECT password_set_at AS "passwordSetAt", totp_set_at AS "secondFactorSetAt",
          (SELECT count(*)::int FROM staff_recovery_codes WHERE staff_id = :staffId AND used_at IS NULL)
            AS "recoveryCodesLeft"
     FROM staff WHERE id = :staffId`
)

export const readSecurity = select.one
